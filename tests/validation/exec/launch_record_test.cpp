#include "agpusim/validation/exec/launch_record.hpp"

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/validation/exec/records.hpp"
#include "agpusim/validation/exec/settings.hpp"
#include "agpusim/validation/io/json.hpp"

namespace agpusim::exec {
namespace {

template <class T>
T read_again(const T& record) {
  const std::string line = to_line(record);
  CHECK(line.find('\n') == line.size() - 1);
  return std::get<T>(record_of(line));
}

}  // namespace

TEST_CASE("a launch is read as it was written", "[exec]") {
  LaunchRecord launch = test::launch_of("_Z6reducePi");
  launch.index = 4;
  launch.dynamic_shared = 1024;
  launch.skipped = true;
  launch.complete = false;
  launch.findings = {test::race()};
  const LaunchRecord read = read_again(launch);
  CHECK(read.pid == 7);
  CHECK(read.index == 4);
  CHECK(read.kernel == "_Z6reducePi");
  CHECK(read.grid == ptx::Dim3{64, 2, 1});
  CHECK(read.dynamic_shared == 1024);
  CHECK(read.skipped);
  CHECK_FALSE(read.complete);
  CHECK(read.predicted.prediction == launch.predicted.prediction);
  CHECK(read.phase == launch.phase);
  REQUIRE(read.lines.size() == 2);
  CHECK(read.lines[1].line == 5);
  CHECK(read.lines[1].counts.shared_read == SharedCounts{20, 90, 70});
  REQUIRE(read.findings.size() == 1);
  CHECK(read.findings[0].where == test::race().where);
  CHECK(read.findings[0].array == "sums");
  CHECK(read.findings[0].message() ==
        "race in shared memory at sum.hpp:5 (called at reduce.cu:9) (st.shared.u32), CTA 3, warp "
        "1, lane 5: lane 7 of warp 0 wrote it; a barrier");
}

TEST_CASE("a launch without a predicted time says why", "[exec]") {
  LaunchRecord launch = test::launch_of("k");
  launch.predicted = {.why_not = "no constants"};
  const LaunchRecord read = read_again(launch);
  CHECK_FALSE(read.predicted.prediction);
  CHECK(read.limit() == "no constants");
}

TEST_CASE("the other facts of a program are read as they were written", "[exec]") {
  CHECK(read_again(ProgramStart{7, "/bin/\xff\"x", "13"}).library == "13");
  CHECK(read_again(Copies{7, 1, 2, 3, 4}).d2d_bytes == 3);
  CHECK(read_again(UnsupportedCall{7, "cudaIpcOpenMemHandle"}).function == "cudaIpcOpenMemHandle");
  CHECK(read_again(RefusedKernel{7, "k", "wgmma at a.cu:7"}).message == "wgmma at a.cu:7");
  CHECK_FALSE(read_again(ProgramEnd{7, false}).completed);
  LaunchRecord running = test::begun("k");
  running.ended_ctas = 5;
  running.findings = {test::race()};
  const LaunchRecord read = read_again(running);
  CHECK(read.runs);
  CHECK(read.grid == running.grid);
  CHECK(read.ended_ctas == 5);
  CHECK(read.findings.at(0).where.at.line == 5);
  const FailedCall call = read_again(test::failed_call());
  CHECK(call.function == "cudaLaunchKernel");
  CHECK(call.kernel == "_Z6reducePi");
  CHECK(call.error == "cudaErrorInvalidConfiguration");
  CHECK(call.reason == "2,048 threads");
  CHECK(call.times == 3);
  CHECK(call.looked == 1);
  CHECK(call.of_simulator);
}

TEST_CASE("what is no record is refused", "[exec]") {
  const std::string line = to_line(test::launch_of("k"));
  for (const std::string& text :
       {std::string(), line.substr(0, line.size() / 2), std::string(R"({"kind":"start"})"),
        std::string(R"({"kind":"other","pid":1})"), std::string("[]")}) {
    CAPTURE(text);
    CHECK_THROWS_AS(record_of(text), detail::JsonError);
  }
}

TEST_CASE("the settings of a program are read as they were written", "[exec]") {
  const Settings settings =
      settings_of(to_json({"h100", "/a b.json", {"races"}, "k<1>", 3, 0.5, true, "scan", 2, 5}));
  CHECK(settings.machine == "h100");
  CHECK(settings.device_file == "/a b.json");
  CHECK(settings.checks == std::vector<std::string>{"races"});
  CHECK(settings.only == "k<1>");
  CHECK(settings.first == 3);
  CHECK(settings.loop_seconds == 0.5);
  CHECK(settings.host_time);
  CHECK(settings.step == "scan");
  CHECK(settings.step_launch == 2);
  CHECK(settings.step_cta == 5);
}

}  // namespace agpusim::exec
