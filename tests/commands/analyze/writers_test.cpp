#include "agpusim/commands/analyze/writers.hpp"

#include <nlohmann/json.hpp>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

using agpusim::Analysis;
using agpusim::AnalysisRow;

namespace {

std::string json_of(const Analysis& analysis) {
  return agpusim::report::to_json(to_report(analysis));
}

std::string text_of(const Analysis& analysis, bool rows = false) {
  return agpusim::report::to_text(to_report(analysis, {.rows = rows}));
}

Analysis sample() {
  AnalysisRow row{{.run = {.config = {.n = 1 << 20}}}};
  row.quantities = {{"T"}, {"Q"}};
  row.counted.emplace().source = agpusim::CountSource::simulated;
  row.checksum = agpusim::ChecksumSource::simulation;
  row.predicted = agpusim::Prediction{0.3712, "shared", {{"launch", 0.1}, {"shared", 0.2712}}};
  row.measured =
      agpusim::Measurement{.ms = 0.41, .low_ms = 0.405, .high_ms = 0.4222, .samples = 11};
  row.error = -0.0946;
  return {.generated = "2026-11-20T10:00:00Z",
          .device = agpusim::test::fake_device(),
          .groups = {{.algorithm = "twice", .variant = "padded", .type = "u32", .rows = {row}}},
          .summary = {1, 0.99, std::nullopt, 0.0946, 0.09, 0.12, 0.5,
                      agpusim::WorstRow{"twice", 1 << 20, -0.0946}}};
}

}  // namespace

TEST_CASE("an analysis without rows has JSON and text", "[validation][writers]") {
  Analysis analysis{.device = {.name = "Fake GPU"}};
  const auto json = nlohmann::json::parse(json_of(analysis));
  CHECK(json["algorithms"].is_array());
  CHECK(json["algorithms"].empty());
  CHECK(json["counters"]["differences"].is_array());
  CHECK(json["summary"]["worst"].is_null());
  CHECK_THAT(text_of(analysis), says("Times: none recorded."));
}

TEST_CASE("text shows what has no value", "[validation][writers]") {
  CHECK_THAT(text_of(sample()), says("times 0.9900 (Pearson), - (Spearman)"));
}

TEST_CASE("a simulation that differs is seen in the summary", "[validation][writers][ruler]") {
  Analysis analysis = sample();
  analysis.verified = true;
  CHECK_THAT(text_of(analysis), says("simulated again equals what was derived"));
  analysis.groups[0].rows[0].differences = {"phase 0: alu 1 simulated, 2 derived"};
  CHECK_THAT(text_of(analysis),
             says("Of 1 what was counted is DIFFERENT",
                  "twice (padded), n = 2^20: phase 0: alu 1 simulated, 2 derived\n"));
  CHECK_THAT(text_of(analysis, true), says("  DIFFERENT  "));
}

TEST_CASE("text lists algorithms where they are few or asked for", "[validation][writers]") {
  Analysis analysis = sample();
  analysis.families = {{.family = "sorts", .algorithms = 30}, {.family = "scans"}};
  const auto lists = [&](std::size_t scores, bool algorithms) {
    analysis.scores.assign(scores, {.family = "sorts", .algorithm = "twice"});
    const std::string text = agpusim::report::to_text(to_report(analysis, {false, algorithms}));
    CHECK_THAT(text, says("\nsorts "));
    return text.find("\ntwice ") != std::string::npos;
  };
  CHECK(lists(2, false));
  CHECK_FALSE(lists(60, false));
  CHECK(lists(60, true));
}

TEST_CASE("the error of what was left out of the fit stands beside that of all",
          "[validation][writers]") {
  Analysis analysis = sample();
  CHECK(nlohmann::json::parse(json_of(analysis))["fit"]["fitted_to"].is_null());
  agpusim::Constant fitted{"overlap", 1.5, "1", "fitted by agpusim validate --out"};
  analysis.device.set(fitted);
  analysis.device.set({"left_out_mean", 0.1, "1", "agpusim validate"});
  analysis.device.set({"left_out_median", 0.08, "1", "agpusim validate"});
  CHECK_THAT(text_of(analysis), says("left out of the fit the errors are 10.0 % "
                                     "(mean), 8.0 % (median).\n"));
  fitted.source = "of an NVIDIA H200, until agpusim validate --out fits it to timings";
  analysis.device.set(fitted);
  CHECK_THAT(text_of(analysis), says("\nFake GPU is no H200: "));
}

TEST_CASE("a row says whether it is predicted from kernels", "[validation][writers]") {
  Analysis analysis = sample();
  const auto from = [&] {
    const auto json = nlohmann::json::parse(json_of(analysis));
    return json["algorithms"][0]["rows"][0]["predicted_from"].get<std::string>();
  };
  CHECK(from() == "counts");
  analysis.groups[0].rows[0].from_kernels = true;
  CHECK(from() == "compiled kernels");
  CHECK_THAT(text_of(analysis), says("Predicted: 0 runs from counts, 1 from"));
}

TEST_CASE("a report that cannot be written is named", "[validation][writers][bad_input]") {
  const agpusim::test::TempFolder folder;
  write_html(sample(), folder / "r.html");
  CHECK(agpusim::test::content(folder / "r.html") == to_html(sample()));
  CHECK_THAT(agpusim::test::message_of<agpusim::IoError>(
                 [&] { write_html(sample(), folder / "none/r.html"); }),
             says("none/r.html"));
}
