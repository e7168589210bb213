#include "agpusim/commands/analyze/writers.hpp"

#include <nlohmann/json.hpp>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/json_members.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

using agpusim::Analysis;
using agpusim::AnalysisGroup;
using agpusim::AnalysisRow;
using agpusim::test::keys;
using agpusim::test::Names;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string json_of(const Analysis& analysis) {
  return agpusim::report::to_json(to_report(analysis));
}

std::string text_of(const Analysis& analysis, bool rows = false) {
  return agpusim::report::to_text(to_report(analysis, rows));
}

Analysis sample() {
  AnalysisRow row;
  row.n = 1 << 20;
  row.input = "uniform";
  row.machine = "AGPU(p=32, b=32, M=64, w=32), V=32";
  row.phases = 2;
  row.time = 1234567;
  row.io = 65536;
  row.io_lower = 32768;
  row.optimality_ratio = 2.0;
  row.counts = agpusim::CountSource::simulated;
  row.checksum = agpusim::ChecksumSource::simulation;
  row.predicted_ms = 0.3712;
  row.parts = {{"launch", 0.1}, {"shared", 0.2712}};
  row.time_lower = 100;
  row.limit = "shared";
  row.measured.ms = 0.41;
  row.measured.low_ms = 0.405;
  row.measured.high_ms = 0.4222;
  row.measured.samples = 11;
  row.error = -0.0946;
  AnalysisGroup group;
  group.algorithm = "twice";
  group.variant = "padded";
  group.type = "u32";
  group.machine = row.machine;
  group.summary = "Copies, \"there\" </script><!-- and back.";
  group.bound_time = "O(n/p)";
  group.bound_io = "O(n/b)";
  group.formula = "2n/b";
  group.limiting = "Limited by shared memory wavefronts at every n.";
  row.io_formula = 65536;
  row.parts = {{"launch", 0.0212}, {"shared", 0.35}};
  group.rows = {row, row};
  group.rows[1].n = 1000003;
  group.rows[1].counts = agpusim::CountSource::derived;
  group.rows[1].io_formula.reset();
  group.rows[1].optimality_ratio.reset();
  group.rows[1].checksum = agpusim::ChecksumSource::none;
  group.mape = 0.0946;
  group.median = 0.0946;
  Analysis analysis;
  analysis.generated = "2026-11-20T10:00:00Z";
  analysis.device = agpusim::test::fake_device();
  analysis.groups = {group};
  analysis.counters.launches = 5;
  analysis.counters.equal = 4;
  analysis.counters.metrics = {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", true, 5, 4}};
  analysis.counters.differences = {{"twice", "padded", 4096, 1, "copy_back",
                                    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 10, 11,
                                    "unexplained"}};
  analysis.scores = {
      {"twice", "padded", 2, 1000003, 1 << 20, {"launch", "shared"}, 0.9054, 0.0946, 0.12, 0.5}};
  analysis.worst = {{"twice", "padded", row.machine, 2, 0.9054, 0.0946, "shared", "because"}};
  analysis.counter_groups = {{"twice", "padded", analysis.counters}};
  analysis.unusable = {{"no such algorithm", 3, "r.jsonl:7 with n = 8"}};
  analysis.summary = {2,    0.99, std::nullopt, 0.0946,
                      0.09, 0.12, 0.5,          agpusim::WorstRow{"twice", 1 << 20, -0.0946}};
  return analysis;
}

}  // namespace

TEST_CASE("JSON has the values of the analysis", "[validation][writers]") {
  const auto json = nlohmann::json::parse(json_of(sample()));
  const auto& rows = json["algorithms"][0]["rows"];
  CHECK(json["device"]["file"] == "fake.json");
  CHECK(rows[0]["T"] == 1234567);
  CHECK(rows[0]["measured_ms"] == 0.41);
  CHECK(rows[0]["counts"] == "simulated");
  CHECK(rows[0]["differences"].empty());
  CHECK(rows[1]["counts"] == "derived");
  CHECK(rows[1]["optimality_ratio"].is_null());
  CHECK(json["summary"]["spearman"].is_null());
  CHECK(json["summary"]["worst"]["error"] == -0.0946);
}

TEST_CASE("an analysis without rows has JSON and text", "[validation][writers]") {
  Analysis analysis;
  analysis.device.name = "Fake GPU";
  const auto json = nlohmann::json::parse(json_of(analysis));
  CHECK(json["algorithms"].is_array());
  CHECK(json["algorithms"].empty());
  CHECK(json["counters"]["differences"].is_array());
  CHECK(json["summary"]["worst"].is_null());
  CHECK_THAT(text_of(analysis), ContainsSubstring("Times: none recorded."));
}

TEST_CASE("text shows what has no value", "[validation][writers]") {
  CHECK_THAT(text_of(sample()), ContainsSubstring("times 0.9900 (Pearson), - (Spearman)"));
}

TEST_CASE("a simulation that differs is seen in the summary", "[validation][writers][ruler]") {
  Analysis analysis = sample();
  analysis.verified = true;
  CHECK_THAT(text_of(analysis), ContainsSubstring("simulated again equals what was derived"));
  analysis.groups[0].rows[0].differences = {"phase 0: alu 1 simulated, 2 derived"};
  CHECK_THAT(text_of(analysis), ContainsSubstring("Of 1 what was counted is DIFFERENT"));
  CHECK_THAT(text_of(analysis),
             ContainsSubstring("twice (padded), n = 2^20: phase 0: alu 1 simulated, 2 derived\n"));
  CHECK_THAT(text_of(analysis, true), ContainsSubstring("  DIFFERENT  "));
}

TEST_CASE("HTML is the page with everything filled in", "[validation][writers]") {
  const std::string page = to_html(sample());
  CHECK(page.find("/*AGPUSIM_") == std::string::npos);
  CHECK_THAT(page, ContainsSubstring("id=\"data\">{\"agpusim\":"));
  CHECK_THAT(page, ContainsSubstring("Copies, \\\"there\\\" \\u003c/script>\\u003c!-- and back."));
}

TEST_CASE("a report that cannot be written is named", "[validation][writers][bad_input]") {
  const agpusim::test::TempFolder folder;
  write_html(sample(), folder / "r.html");
  CHECK(agpusim::test::content(folder / "r.html") == to_html(sample()));
  CHECK_THAT(agpusim::test::message_of<agpusim::IoError>(
                 [&] { write_html(sample(), folder / "none/r.html"); }),
             ContainsSubstring("none/r.html"));
}
