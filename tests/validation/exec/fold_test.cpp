#include "agpusim/validation/exec/fold.hpp"

#include <sstream>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/tests/validation/exec/records.hpp"
#include "agpusim/validation/exec/findings.hpp"
#include "agpusim/validation/exec/sheet_rows.hpp"

namespace agpusim::exec {
namespace {

ProgramReport report_of(const std::vector<Record>& records, const std::string& end = "") {
  std::string lines;
  for (const Record& record : records) lines += to_line(record);
  std::istringstream in(lines + end);
  return read_report(in);
}

}  // namespace

TEST_CASE("equal launches are folded and numbered by kernel, over all processes", "[exec]") {
  LaunchRecord other_process = test::launch_of("_Z6reducePi");
  other_process.pid = 8;
  other_process.index = 5;
  LaunchRecord larger = test::launch_of("_Z6reducePi");
  larger.grid = {128, 2, 1};
  const ProgramReport program = report_of(
      {test::launch_of("_Z6reducePi"), larger, test::launch_of("_Z4scanPi"), other_process});
  REQUIRE(program.launches.size() == 3);
  CHECK(program.launches[0].numbers == std::vector<std::int64_t>{1, 3});
  CHECK(program.launches[1].numbers == std::vector<std::int64_t>{2});
  CHECK(program.launches[2].phase.kernel == "scan");
  CHECK(program.launches[2].numbers == std::vector<std::int64_t>{1});
}

TEST_CASE("costs are summed over the launches that have them", "[exec]") {
  LaunchRecord skipped = test::launch_of("_Z6reducePi");
  skipped.skipped = true;
  const ProgramReport program =
      report_of({test::launch_of("_Z6reducePi"), test::launch_of("_Z6reducePi"), skipped});
  const RunReport cost = cost_of(program, {});
  CHECK(cost.phases.size() == 2);
  CHECK(cost.total().sectors() == 320);
  REQUIRE(cost.lines.size() == 2);
  CHECK(cost.lines[0].kernel == "reduce");
  CHECK(cost.lines[0].line == 5);
  CHECK(cost.lines[0].counts.conflicts() == 140);
  CHECK(lines_of(program)[1].useful_bytes == 2 * 640);
}

TEST_CASE("what a process told last of its copies and failed calls counts", "[exec]") {
  FailedCall call = test::failed_call();
  call.of_simulator = false;
  FailedCall later = call;
  later.times = later.looked = 4;
  FailedCall other_process = call;
  other_process.pid = 8;
  other_process.looked = 3;
  const std::vector<Record> records = {ProgramStart{7, "/x", "13"},
                                       Copies{7, 10, 0, 0, 1},
                                       call,
                                       Copies{7, 20, 0, 0, 2},
                                       later,
                                       other_process};
  const ProgramReport program = report_of(records);
  CHECK(program.copies.h2d_bytes == 20);
  REQUIRE(program.failed.size() == 1);
  CHECK(program.failed[0].kernel == "reduce");
  CHECK(program.failed[0].times == 7);
  CHECK(program.failed[0].is_known());
  CHECK(program.is_complete());
  // The process goes on as another program.
  std::vector<Record> twice = records;
  twice.insert(twice.end(), records.begin(), records.begin() + 3);
  const ProgramReport again = report_of(twice);
  CHECK(again.copies.h2d_bytes == 30);
  CHECK(again.failed[0].times == 10);
  CHECK_FALSE(again.is_complete());
}

TEST_CASE("a launch that has begun and not ended is none that has costs", "[exec]") {
  const LaunchRecord begun = test::begun("_Z6reducePi");
  LaunchRecord later = begun;
  later.ended_ctas = 12;
  later.findings = {test::race()};
  const ProgramReport ended = report_of({begun, later, test::launch_of("_Z6reducePi")});
  REQUIRE(ended.launches.size() == 1);
  CHECK_FALSE(ended.launches[0].runs);
  CHECK(ended.is_complete());
  const ProgramReport stopped = report_of({test::launch_of("_Z6reducePi"), begun, later});
  REQUIRE(stopped.launches.size() == 2);
  CHECK(stopped.launches[1].runs);
  CHECK(stopped.launches[1].ended_ctas == 12);
  CHECK(stopped.launches[1].numbers == std::vector<std::int64_t>{2});
  CHECK(stopped.launches[1].limit() == "not ended: 12 of 128 CTAs");
  CHECK(finding_rows(stopped).size() == 1);
  CHECK(cost_of(stopped, {}).phases.size() == 1);
  CHECK_FALSE(stopped.is_complete());
}

TEST_CASE("a report that lacks lines does not tell what runs", "[exec]") {
  const test::TempFolder folder;
  LaunchRecord other = test::launch_of("l");
  other.pid = 8;
  test::put(folder / "report", to_line(test::begun("k")) + "{\"kind\n\n" + to_line(other));
  CHECK(read_report(folder / "report").launches.at(1).runs);
  std::filesystem::permissions(folder / "report", mode_of_cut_report);
  const ProgramReport cut = read_report(folder / "report");
  CHECK(cut.is_cut);
  CHECK(cut.damaged == 1);
  CHECK_FALSE(cut.launches.at(1).runs);
  CHECK(cut.launches.at(1).limit() == "the report does not tell its end");
  CHECK_FALSE(cut.is_complete());
}

TEST_CASE("a line that is cut is counted, what stands before it is kept", "[exec]") {
  const ProgramReport program =
      report_of({ProgramStart{7, "/x", "13"}, Copies{7, 10, 20, 0, 2}, Copies{8, 5, 0, 0, 1},
                 UnsupportedCall{7, "cudaX"}, UnsupportedCall{7, "cudaX"},
                 RefusedKernel{7, "_Z6reducePi", "wgmma at a.cu:7"}},
                R"({"kind":"launch","pid":7,"ind)");
  CHECK(program.damaged == 1);
  CHECK(program.processes.size() == 1);
  CHECK(program.copies.h2d_bytes == 15);
  CHECK(program.copies.count == 3);
  CHECK(program.unsupported.at("cudaX") == 2);
  CHECK(program.refused.at("reduce") == "wgmma at a.cu:7");
}

TEST_CASE("rows of kernels sum times and name the limit of the longest launch", "[exec]") {
  LaunchRecord longer = test::launch_of("k");
  longer.predicted.prediction = {1, "bandwidth", {}, 0, 2};
  longer.grid = {128, 1, 1};
  const ProgramReport program = report_of({test::launch_of("k"), test::launch_of("k"), longer});
  CHECK(kernel_rows(program, true).size() == 2);
  const std::vector<KernelRow> rows = kernel_rows(program, false);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].launches == 3);
  CHECK(rows[0].predicted->milliseconds == 1.5);
  CHECK(rows[0].predicted->high == 2.6);
  CHECK(rows[0].limit == "bandwidth");
  CHECK_FALSE(rows[0].grid);
  CHECK(rows[0].block);
  LaunchRecord unknown = test::launch_of("k");
  unknown.predicted = {.why_not = "no constants"};
  const ProgramReport without = report_of({test::launch_of("k"), unknown, longer});
  CHECK_FALSE(kernel_rows(without, false)[0].predicted);
  CHECK(kernel_rows(without, false)[0].limit == "no constants");
}

TEST_CASE("a finding that launches share is told once", "[exec]") {
  LaunchRecord wrong = test::launch_of("_Z6reducePi");
  wrong.findings = {test::race()};
  LaunchRecord larger = wrong;
  larger.grid = {128, 1, 1};
  const std::vector<FindingRow> rows =
      finding_rows(report_of({test::launch_of("_Z6reducePi"), wrong, larger}));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].name == "reduce");
  CHECK(rows[0].launch == 2);
  CHECK(rows[0].finding.times == 24);
}

TEST_CASE("a file is named by as many folders as tell it from others", "[exec]") {
  const std::vector<std::string> all = {"/a/x/sort.cuh", "/b/x/sort.cuh", "/b/main.cu"};
  CHECK(shortest_path("/b/main.cu", all) == "main.cu");
  CHECK(shortest_path("/a/x/sort.cuh", all) == "a/x/sort.cuh");
  CHECK(shortest_path("/b/x/sort.cuh", all) == "b/x/sort.cuh");
}

}  // namespace agpusim::exec
