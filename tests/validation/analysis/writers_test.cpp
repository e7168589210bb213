#include "agpusim/validation/analysis/writers.hpp"

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
  row.limit = "shared";
  row.measured_ms = 0.41;
  row.measured_low_ms = 0.405;
  row.measured_high_ms = 0.4222;
  row.samples = 11;
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
  analysis.counters.metrics = {{"metric_a", true, 5, 4}};
  analysis.counters.differences = {
      {"twice", 4096, 1, "copy_back", "metric_a", 10, 11, "unexplained"}};
  analysis.counter_groups = {{"twice", "padded", analysis.counters}};
  analysis.summary = {2,      0.99,   std::nullopt,
                      0.0946, 0.0946, agpusim::WorstRow{"twice", 1 << 20, -0.0946}};
  return analysis;
}

}  // namespace

TEST_CASE("JSON has exactly the documented members in order", "[validation][writers][golden]") {
  const auto json = nlohmann::ordered_json::parse(to_json(sample()));
  CHECK(keys(json) ==
        Names{"agpusim", "generated", "device", "constants", "algorithms", "counters", "summary"});
  CHECK(keys(json["device"]) == Names{"name", "file"});
  CHECK(keys(json["constants"][0]) == Names{"name", "value", "unit", "source", "date"});
  CHECK(keys(json["algorithms"][0]) == Names{"name", "variant", "type", "machine", "summary",
                                             "limiting", "bound_time", "bound_io", "rows"});
  CHECK(keys(json["algorithms"][0]["rows"][0]) ==
        Names{"n", "input", "phases", "T", "Q", "Q_lower", "counts", "differences",
              "optimality_ratio", "predicted_ms", "measured_ms", "measured_low_ms",
              "measured_high_ms", "samples", "error", "limit"});
  CHECK(keys(json["counters"]) == Names{"launches", "equal", "differences"});
  CHECK(keys(json["counters"]["differences"][0]) ==
        Names{"algorithm", "n", "launch", "kernel", "metric", "simulated", "measured", "reason"});
  CHECK(keys(json["summary"]) == Names{"rows", "pearson", "spearman", "mape", "median", "worst"});
  CHECK(keys(json["summary"]["worst"]) == Names{"algorithm", "n", "error"});
}

TEST_CASE("JSON has the values of the analysis", "[validation][writers]") {
  const auto json = nlohmann::json::parse(to_json(sample()));
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
  const auto json = nlohmann::json::parse(to_json(analysis));
  CHECK(json["algorithms"].is_array());
  CHECK(json["algorithms"].empty());
  CHECK(json["counters"]["differences"].is_array());
  CHECK(json["summary"]["worst"].is_null());
  CHECK_THAT(to_text(analysis), ContainsSubstring("Times: none recorded."));
}

TEST_CASE("text shows a table, the limit and the summary", "[validation][writers][golden]") {
  const std::string text = to_text(sample());
  CHECK_THAT(text, ContainsSubstring("Predicted and measured on Fake GPU"));
  CHECK_THAT(text, ContainsSubstring("twice (padded), u32, on AGPU(p=32, b=32, M=64, w=32), V=32"));
  CHECK_THAT(text, ContainsSubstring("input            n          T       Q     counts  "
                                     "Q/bound  predicted ms  measured ms  "
                                     "     [5 %, 95 %]   error   limit\n"
                                     "uniform       2^20  1,234,567  65,536  simulated     "
                                     "2.00        0.3712       0.4100  "
                                     "[0.4050, 0.4222]  -9.5 %  shared\n"
                                     "uniform  1,000,003  1,234,567  65,536    derived        "
                                     "-        0.3712       0.4100  "
                                     "[0.4050, 0.4222]  -9.5 %  shared\n"));
  CHECK_THAT(text, ContainsSubstring("Limited by shared memory wavefronts at every n. Mean error "
                                     "9.5 %, median 9.5 %.\n"));
  CHECK_THAT(text,
             ContainsSubstring("2 rows: Pearson correlation 0.9900, Spearman -, mean absolute "
                               "error (MAPE) 9.5 %, median 9.5 %, worst -9.5 % (twice, n = "
                               "2^20).\n"));
  CHECK_THAT(text, ContainsSubstring("equal the simulation's in 1 rows; not compared in 1"));
  CHECK_THAT(text, ContainsSubstring("Hardware counters equal in 4 of 5 launches.\n"));
  CHECK_THAT(text, ContainsSubstring("unexplained"));
}

TEST_CASE("CSV has a header, a line per row and quoted texts", "[validation][writers][golden]") {
  CHECK(to_csv(sample()) ==
        "algorithm,variant,type,machine,n,input,phases,T,Q,Q_lower,counts,differences,"
        "optimality_ratio,predicted_ms,measured_ms,measured_low_ms,measured_high_ms,samples,error,"
        "limit\n"
        "twice,padded,u32,\"AGPU(p=32, b=32, M=64, w=32), V=32\",1048576,uniform,2,1234567,65536,"
        "32768,simulated,0,2,0.3712,0.41,0.405,0.4222,11,-0.0946,shared\n"
        "twice,padded,u32,\"AGPU(p=32, b=32, M=64, w=32), V=32\",1000003,uniform,2,1234567,65536,"
        "32768,derived,0,,0.3712,0.41,0.405,0.4222,11,-0.0946,shared\n");
}

TEST_CASE("HTML is the page with everything filled in", "[validation][writers]") {
  const std::string page = to_html(sample());
  CHECK(page.find("/*AGPUSIM_") == std::string::npos);
  CHECK_THAT(page, ContainsSubstring("id=\"data\">{\"agpusim\":"));
  CHECK_THAT(page, ContainsSubstring("Copies, \\\"there\\\" \\u003c/script>\\u003c!-- and back."));
}

TEST_CASE("the page's data are the rows as columns", "[validation][writers][golden]") {
  Analysis analysis = sample();
  analysis.groups[0].rows[1].measured_ms = 0.123456789012;
  const auto json = nlohmann::ordered_json::parse(to_page_data(analysis));
  CHECK(keys(json) ==
        Names{"agpusim", "generated", "device", "constants", "parts", "groups", "counters"});
  CHECK(json["parts"] == nlohmann::json{"launch", "shared"});
  const auto& group = json["groups"][0];
  CHECK(keys(group) == Names{"algorithm", "variant", "type", "machine", "summary", "limiting",
                             "bound_time", "bound_io", "formula", "columns", "parts"});
  const auto& columns = group["columns"];
  CHECK(keys(columns) == Names{"n", "input", "phases", "T", "T_lower", "Q", "Q_lower", "Q_formula",
                               "counts", "predicted_ms", "measured_ms", "measured_low_ms",
                               "measured_high_ms", "samples", "limit"});
  CHECK(columns["n"] == nlohmann::json{1 << 20, 1000003});
  CHECK(columns["measured_ms"] == nlohmann::json{0.41, 0.123456789});
  CHECK(columns["counts"]["texts"] == nlohmann::json{"simulated", "derived"});
  CHECK(columns["counts"]["index"] == nlohmann::json{0, 1});
  CHECK(columns["input"]["index"] == nlohmann::json{0, 0});
  CHECK(group["parts"] == nlohmann::json{{0.0212, 0.0212}, {0.35, 0.35}});
  CHECK(columns["Q_formula"] == nlohmann::json{65536, nullptr});
  CHECK(json["counters"][0]["launches"] == 5);
  CHECK(json["counters"][0]["differences"][0]["kernel"] == "copy_back");
}

TEST_CASE("a report that cannot be written is named", "[validation][writers][bad_input]") {
  const agpusim::test::TempFolder folder;
  write_html(sample(), folder / "r.html");
  CHECK(agpusim::test::content(folder / "r.html") == to_html(sample()));
  CHECK_THAT(agpusim::test::message_of<agpusim::IoError>(
                 [&] { write_html(sample(), folder / "none/r.html"); }),
             ContainsSubstring("none/r.html"));
}
