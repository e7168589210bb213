// Loops that wait: what is charged, and what is told where nobody comes.

#include "agpusim/ptx/run/device.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim::ptx {
namespace {

/// Launches a kernel with an mbarrier of one arrival, in two warps.
LaunchReport ran_with_mbarrier(const std::string& body) {
  const std::string text =
      ".visible .entry k() {\n"
      ".reg .b32 %r<5>; .reg .b64 %rd<5>; .reg .pred %p<3>; .shared .align 8 .b8 bar[8];\n"
      "mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;\n"
      "@%p0 mbarrier.init.shared.b64 [bar], 1; bar.sync 0;\n" +
      body + "\nret;\n}\n";
  const AgpuSpec spec;
  Device device(spec);
  auto module = std::make_shared<const Module>(Module::parse(text, "test.ptx"));
  return device.launch({Program::compile(module, "k"), {}, {64, 1, 1}});
}

/// Launches `ctas` CTAs of one warp, each of which turns round a loop so often.
LaunchReport ran_turns(std::uint32_t ctas, std::uint32_t turns) {
  const std::string text =
      ".visible .entry k() {\n.reg .b32 %r0; .reg .pred %p0;\nmov.u32 %r0, 0;\nagain:\n"
      "add.u32 %r0, %r0, 1; setp.ne.u32 %p0, %r0, " +
      std::to_string(turns) + ";\n@%p0 bra again;\nret;\n}\n";
  Options options;
  options.threads = 1;
  options.most_turns = 1 << 13;
  Device device(AgpuSpec{}, options);
  auto module = std::make_shared<const Module>(Module::parse(text, "test.ptx"));
  return device.launch({Program::compile(module, "k"), {ctas, 1, 1}, {32, 1, 1}});
}

}  // namespace

TEST_CASE("PTX: a CTA that does not end is a deadlock, many that end are none", "[ptx]") {
  CHECK(ran_turns(50, 5000).complete);
  const LaunchReport report = ran_turns(1, 0);
  CHECK_FALSE(report.complete);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].rule == Rule::deadlock);
  CHECK(report.findings[0].place() == "test.ptx:6");
}

TEST_CASE("PTX: turns of a loop are charged though a loop inside waits", "[ptx]") {
  const std::string begin = "mov.u32 %r1, 0; mov.u32 %r2, 0;\nagain:\n";
  const std::string wait =
      "wait:\nmbarrier.test_wait.parity.shared.b64 %p1, [bar], 1;\n@!%p1 bra wait;\n";
  const std::string end =
      "add.u32 %r2, %r2, %r1; add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 10;\n@%p2 bra again;";
  const LaunchReport waiting = ran_with_mbarrier(begin + wait + end);
  CHECK(waiting.findings.empty());
  CHECK(waiting.polls == 0);
  CHECK(waiting.phase.counts.time() == ran_with_mbarrier(begin + end).phase.counts.time());
}

TEST_CASE("PTX: further turns of a wait for an mbarrier are free", "[ptx]") {
  const auto time_of = [](const std::string& delay) {
    // Warp 0, which runs first, waits for warp 1.
    const LaunchReport report = ran_with_mbarrier(
        "setp.ge.u32 %p1, %r0, 32; @%p1 bra other;\n"
        "wait:\nmbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 bra wait;\nret;\n"
        "other:\n" +
        delay + "setp.eq.u32 %p2, %r0, 32;\n@%p2 mbarrier.arrive.shared.b64 _, [bar];");
    CHECK(report.findings.empty());
    CHECK(report.polls > 0);
    return report.phase.counts.time();
  };
  const std::string poll =
      "mov.u32 %r1, 0;\nslow:\nadd.u32 %r1, %r1, 1;\n"
      "setp.lt.u32 %p2, %r1, 20000;\n@%p2 bra slow;\n";
  CHECK(time_of(poll) == time_of("") + 1 + 2 * 20000);
}

TEST_CASE("PTX: a loop that only reads the clock comes to a far time in few turns", "[ptx]") {
  const std::string until =
      "mov.u64 %rd0, %clock64;\nwait:\nmov.u64 %rd1, %clock64; sub.u64 %rd2, %rd1, %rd0;\n"
      "setp.lt.u64 %p1, %rd2, 1000000000000;\n@%p1 bra wait;\n"
      "setp.gt.u64 %p2, %rd2, 1300000000000;\n@%p2 trap;";
  const LaunchReport report = ran_with_mbarrier(until);
  CHECK(report.findings.empty());
  CHECK(report.phase.counts.time() < 10000);
}

TEST_CASE("PTX: a clock read before and after work shows what the work was charged", "[ptx]") {
  std::string work = "mov.u64 %rd0, %clock64;\n";
  for (int i = 0; i < 100; ++i) work += "add.u32 %r1, %r0, 1;\n";
  work +=
      "mov.u64 %rd1, %clock64; sub.u64 %rd2, %rd1, %rd0;\nsetp.gt.u64 %p1, %rd2, 300; @%p1 trap;";
  CHECK(ran_with_mbarrier(work).findings.empty());
}

TEST_CASE("PTX: a deadlock at an mbarrier names all that wait", "[ptx]") {
  const LaunchReport report = ran_with_mbarrier(
      "wait:\nmbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;\n@!%p1 bra wait;");
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].rule == Rule::deadlock);
  CHECK(report.findings[0].text == "no warp can go on; warps 0 to 1 poll at test.ptx:6");
  CHECK_FALSE(report.complete);
}

}  // namespace agpusim::ptx
