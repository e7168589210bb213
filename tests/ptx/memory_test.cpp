#include <algorithm>
#include <cstdint>
#include <utility>

#include "agpusim/ptx/run/device.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim::ptx {
namespace {

constexpr const char* copy_text = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry copy(.param .u64 from, .param .u64 to) {
  .reg .b64 %rd<5>;
  .reg .b32 %r<3>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.u32 %r2, [%rd4];
  add.s64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r2;
  ret;
}
)";

/// Launches the copy of 32 words, by each CTA.
LaunchReport copy(Device& device, Address from, Address to, std::uint32_t ctas = 1) {
  static const auto module = std::make_shared<const Module>(Module::parse(copy_text, "copy.ptx"));
  const std::vector<Address> parameters{from, to};
  return device.launch({Program::compile(module, "copy"), Dim3{ctas}, Dim3{32}, 0,
                        std::as_bytes(std::span(parameters))});
}

}  // namespace

TEST_CASE("memory of a PTX device is the host's, and released memory is found", "[ptx]") {
  Device device(AgpuSpec{});
  Memory& memory = device.memory();
  std::vector<std::uint32_t> host(32, 7);
  memory.adopt(host.data(), host.size() * sizeof(host[0]), "host");
  const Address to = memory.allocate(128, "to");
  CHECK(to % 512 == 0);
  CHECK(copy(device, reinterpret_cast<Address>(host.data()), to).findings.empty());
  CHECK(*reinterpret_cast<const std::uint32_t*>(to) == 7);

  memory.release(to);
  const LaunchReport report = copy(device, reinterpret_cast<Address>(host.data()), to);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].rule == Rule::freed);
  CHECK(report.findings[0].place() == "copy.ptx:15");
  CHECK_FALSE(report.complete);
  CHECK_THROWS_AS(memory.release(to), UsageError);
}

TEST_CASE("of much released memory the last stays, so that a later use is found", "[ptx]") {
  Memory memory{AgpuSpec{}};
  const auto released = [&](const char* name) {
    const Address at = memory.allocate(64, name);
    memory.release(at);
    return at;
  };
  const Address first = released("first");
  REQUIRE(memory.find(first) != nullptr);
  for (int i = 0; i < 5000; ++i) static_cast<void>(released("other"));
  const Allocation* const held = memory.find(first);
  CHECK((held == nullptr || held->name == "other"));
  CHECK(memory.find(released("last"))->released);
}

TEST_CASE("races and reads of unwritten memory are looked for one by one", "[ptx]") {
  const auto findings = [](const Options& options) {
    Device device(AgpuSpec{}, options);
    const Address unwritten = device.memory().allocate(128, "from");
    const auto found = copy(device, unwritten, device.memory().allocate(128, "to"), 2).findings;
    return std::pair(std::ranges::count(found, Rule::equal_values, &Finding::rule),
                     std::ranges::count(found, Rule::unwritten_global, &Finding::rule));
  };
  CHECK(findings({}) == std::pair<std::int64_t, std::int64_t>(1, 1));
  CHECK(findings({.races = false}) == std::pair<std::int64_t, std::int64_t>(0, 1));
  CHECK(findings({.unwritten = false}) == std::pair<std::int64_t, std::int64_t>(1, 0));
  CHECK(findings({.races = false, .unwritten = false}) == std::pair<std::int64_t, std::int64_t>());
}

TEST_CASE("warps that store equal matrices at one place race without harm", "[ptx]") {
  constexpr const char* text = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry rows(.param .u32 factor) {
  .reg .b32 %r<6>;
  .shared .align 16 .b8 matrix[128];
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 7;
  shl.b32 %r2, %r2, 4;
  mov.u32 %r3, matrix;
  add.u32 %r3, %r3, %r2;
  ld.param.u32 %r4, [factor];
  shr.u32 %r5, %r1, 5;
  mul.lo.u32 %r5, %r5, %r4;
  stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], {%r5};
  ret;
}
)";
  const auto module = std::make_shared<const Module>(Module::parse(text, "rows.ptx"));
  for (const auto& [factor, rule] :
       {std::pair(0U, Rule::equal_values), std::pair(1U, Rule::shared_race)}) {
    Device device(AgpuSpec{});
    const std::vector<std::uint32_t> parameters{factor};
    const auto report = device.launch({Program::compile(module, "rows"), Dim3{}, Dim3{64}, 0,
                                       std::as_bytes(std::span(parameters))});
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].rule == rule);
  }
}

TEST_CASE("the bytes that the host writes are marked one by one", "[ptx]") {
  Memory memory{AgpuSpec{}};
  const Address at = memory.allocate(100, "bytes");
  memory.mark_written(at + 3, 50);
  memory.mark_written(at + 57, 2);
  const auto* const written = memory.find(at)->written.as<std::uint8_t>();
  for (std::size_t i = 0; i < 100; ++i) {
    const bool expected = (i >= 3 && i < 53) || i == 57 || i == 58;
    CHECK((written[i / 8] >> i % 8 & 1) == static_cast<int>(expected));
  }
}

TEST_CASE("a PTX launch is a phase whose tasks are CTAs", "[ptx]") {
  AgpuSpec spec;
  spec.block_words = 8;  // a warp is billed in four groups
  spec.cores = 16;
  Device device(spec);
  const Address from = device.memory().allocate(128, "from");
  device.memory().mark_written(from, 128);
  const LaunchReport report = copy(device, from, device.memory().allocate(128, "to"));
  const Counts& counts = report.phase.counts;
  CHECK(counts.global_read.requests == 4);
  CHECK(counts.global_read.blocks == 4);
  CHECK(counts.global_write.blocks == 4);
  CHECK(counts.alu == 16);  // mov, mul, add, add
  CHECK(counts.lane_slots == counts.active_lanes);
  CHECK(report.phase.tasks == 1);
  CHECK(report.phase.width == 32);
  CHECK(report.phase.time == 24);
  check_invariants(device.report());
}

// Warp 0 waits for what warp 1 writes: it runs first, and polls in vain.
TEST_CASE("further turns of a loop that waits are polls and cost nothing", "[ptx]") {
  static constexpr const char* waiting = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry wait(.param .u64 flag) {
  .reg .pred %p<3>;
  .reg .b64 %rd<2>;
  .reg .b32 %r<5>;
  ld.param.u64 %rd1, [flag];
  mov.u32 %r1, %warpid;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra WRITE;
TURN:
  ld.volatile.global.u32 %r2, [%rd1];
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra TURN;
  ret;
WRITE:
  mov.u32 %r3, 1;
  st.volatile.global.u32 [%rd1], %r3;
  ret;
}
)";
  const auto module = std::make_shared<const Module>(Module::parse(waiting, "wait.ptx"));
  for (const std::uint32_t before : {0U, 1U}) {  // the flag
    Device device(AgpuSpec{});
    std::vector<std::uint32_t> flag{before};
    device.memory().adopt(flag.data(), 4, "flag");
    const std::vector<Address> parameters{reinterpret_cast<Address>(flag.data())};
    const LaunchReport report = device.launch({Program::compile(module, "wait"), Dim3{}, Dim3{64},
                                               0, std::as_bytes(std::span(parameters))});
    INFO("flag " << before);
    CHECK(report.findings.empty());
    CHECK(report.polls == (before == 0 ? 1 : 0));
    CHECK(report.phase.counts.global_read.requests == 1);
    CHECK(report.phase.counts.alu == 6);  // 2 in each warp, setp of the wait, mov
    CHECK(report.phase.counts.active_lanes == 32 * 8);
  }
}

}  // namespace agpusim::ptx
