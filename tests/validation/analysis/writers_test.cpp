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

TEST_CASE("JSON has exactly the documented members in order", "[validation][writers][golden]") {
  const auto json = nlohmann::ordered_json::parse(json_of(sample()));
  CHECK(keys(json) == Names{"agpusim", "generated", "device", "algorithms", "constants", "scores",
                            "worst", "counters", "unusable", "summary"});
  CHECK(keys(json["device"]) == Names{"name", "file"});
  CHECK(keys(json["constants"][0]) == Names{"name", "value", "unit", "source", "date"});
  CHECK(keys(json["algorithms"][0]) == Names{"name", "variant", "type", "machine", "summary",
                                             "limiting", "bound_time", "bound_io", "formula",
                                             "rows"});
  CHECK(keys(json["algorithms"][0]["rows"][0]) ==
        Names{"n", "input", "phases", "T", "T_lower", "Q", "Q_lower", "Q_formula", "counts",
              "differences", "optimality_ratio", "predicted_ms", "parts_ms", "measured_ms",
              "measured_low_ms", "measured_high_ms", "samples", "error", "limit"});
  CHECK(keys(json["scores"][0]) == Names{"algorithm", "variant", "rows", "n_min", "n_max", "ratio",
                                         "error_median", "error_p90", "within_10_percent", "limits",
                                         "limited_by"});
  CHECK(keys(json["worst"][0]) == Names{"algorithm", "variant", "machine", "rows", "ratio",
                                        "error_median", "limit", "reason"});
  CHECK(keys(json["unusable"][0]) == Names{"reason", "records", "first"});
  CHECK(keys(json["counters"]) ==
        Names{"launches", "equal", "metrics", "algorithms", "differences"});
  CHECK(keys(json["counters"]["metrics"][0]) == Names{"metric", "exact", "equal", "launches"});
  CHECK(keys(json["counters"]["algorithms"][0]) ==
        Names{"algorithm", "variant", "launches", "equal", "metrics"});
  CHECK(keys(json["counters"]["algorithms"][0]["metrics"][0]) ==
        keys(json["counters"]["metrics"][0]));
  CHECK(keys(json["counters"]["differences"][0]) == Names{"algorithm", "variant", "n", "launch",
                                                          "kernel", "metric", "simulated",
                                                          "measured", "reason"});
  CHECK(keys(json["summary"]) == Names{"rows", "pearson", "spearman", "mape", "median", "error_p90",
                                       "within_10_percent", "worst"});
  CHECK(keys(json["summary"]["worst"]) == Names{"algorithm", "n", "error"});
}

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

TEST_CASE("text shows scores and the summary, rows on demand", "[validation][writers][golden]") {
  const std::string text = text_of(sample());
  CHECK_THAT(text, ContainsSubstring("Predicted and measured on Fake GPU\n"
                                     "Measured: the times of 2 runs of 1 algorithm, the hardware "
                                     "counters of 5 kernel launches of 1 algorithm.\n"
                                     "Counted: 1 runs derived from one task of each class, 1 "
                                     "simulated now.\nKnown counts were not simulated again"));
  CHECK_THAT(text, ContainsSubstring("limited by: the part that takes most of the predicted time.\n"
                                     "  launch: starting kernels; shared: wavefronts of shared "
                                     "memory.\n"));
  CHECK_THAT(text,
             ContainsSubstring("algorithm       runs     n from    to  predicted/measured  median "
                               "error    90 %  within 10 %  limited by, small n to large\n"
                               "twice (padded)     2  1,000,003  2^20                0.91         "
                               "9.5 %  12.0 %       50.0 %  launch, shared\n"));
  CHECK_THAT(text, ContainsSubstring("V=32     2                0.91  because\n"));
  CHECK_THAT(text, ContainsSubstring("no such algorithm        3  r.jsonl:7 with n = 8\n"));
  CHECK_THAT(text, ContainsSubstring("times 0.9900 (Pearson), - (Spearman)"));
  CHECK_THAT(text, ContainsSubstring("median 9.0 %, 90 % of the runs within 12.0 %, 50.0 % of them "
                                     "within 10 %, mean 9.5 %, worst -9.5 % (twice, n = 2^20)."));
  CHECK_THAT(text, ContainsSubstring("equal the simulation's in 1 runs; not compared in 1"));
  CHECK_THAT(text,
             ContainsSubstring("Hardware counters equal in 4 of 5 launches; what differs, "
                               "and why:\n  sectors of loads in 1 (1 algorithm): unexplained.\n"));
  CHECK(text.find("uniform") == std::string::npos);

  const std::string rows = text_of(sample(), true);
  CHECK_THAT(rows, ContainsSubstring("twice (padded), u32, on AGPU(p=32, b=32, M=64, w=32), V=32"));
  CHECK_THAT(rows,
             ContainsSubstring("        n  input            T       Q  counts     Q/bound  "
                               "predicted ms  measured ms     5 %    95 %   error  limit\n"
                               "     2^20  uniform  1,234,567  65,536  simulated     2.00        "
                               "0.3712       0.4100  0.4050  0.4222  -9.5 %  shared\n"
                               "1,000,003  uniform  1,234,567  65,536  derived          -        "
                               "0.3712       0.4100  0.4050  0.4222  -9.5 %  shared\n"));
  CHECK_THAT(rows, ContainsSubstring("Limited by shared memory wavefronts at every n. Mean error "
                                     "9.5 %, median 9.5 %.\n"));
}

TEST_CASE("a simulation that differs is seen in the summary", "[validation][writers][ruler]") {
  Analysis analysis = sample();
  analysis.verified = true;
  CHECK_THAT(text_of(analysis), ContainsSubstring("simulated again equals what was derived"));
  analysis.groups[0].rows[0].differences = {"phase 0: alu 1 simulated, 2 derived"};
  CHECK_THAT(text_of(analysis), ContainsSubstring("Of 1 the simulation is DIFFERENT"));
  CHECK_THAT(text_of(analysis),
             ContainsSubstring("twice (padded), n = 2^20: phase 0: alu 1 simulated, 2 derived\n"));
  CHECK_THAT(text_of(analysis, true), ContainsSubstring("  DIFFERENT  "));
}

TEST_CASE("CSV has a header, a line per row and quoted texts", "[validation][writers][golden]") {
  CHECK(agpusim::report::to_csv(to_report(sample())) ==
        "algorithm,variant,type,machine,n,input,phases,T,T_lower,Q,Q_lower,Q_formula,counts,"
        "differences,optimality_ratio,predicted_ms,parts_ms,measured_ms,measured_low_ms,"
        "measured_high_ms,samples,error,limit\n"
        "twice,padded,u32,\"AGPU(p=32, b=32, M=64, w=32), V=32\",1048576,uniform,2,1234567,100,"
        "65536,32768,65536,simulated,,2.0,0.3712,launch=0.0212;shared=0.35,0.41,0.405,0.4222,11,-0."
        "0946,"
        "shared\n"
        "twice,padded,u32,\"AGPU(p=32, b=32, M=64, w=32), V=32\",1000003,uniform,2,1234567,100,"
        "65536,32768,,derived,,,0.3712,launch=0.0212;shared=0.35,0.41,0.405,0.4222,11,-0.0946,"
        "shared\n");
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
