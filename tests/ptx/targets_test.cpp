// What a kernel may write: reads of the rest are not noted, so each way to an address counts.
#include <algorithm>
#include <cstring>
#include <span>

#include "agpusim/ptx/run/device.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim::ptx {
namespace {

/// CTA 0 reads the words x; then CTA 1 writes them, by an address that `way` puts into %rd5.
LaunchReport ran(const std::string& way) {
  const std::string text = R"(.version 8.0
.target sm_90
.address_size 64
.global .align 8 .u64 kept;
.func (.param .b64 result) same(.param .b64 given) {
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [given];
  st.param.b64 [result], %rd1;
  ret;
}
.visible .entry k(.param .u64 x, .param .u64 table) {
  .reg .b64 %rd<10>; .reg .b32 %r<10>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [table];
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;
  mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 1;
  add.s64 %rd4, %rd1, %rd3;
  @%p1 bra writes;
  ld.global.u32 %r3, [%rd4];
  ret;
writes:
)" + way + R"(
  add.s64 %rd6, %rd5, %rd3;
  st.global.u32 [%rd6], %r1;
  ret;
}
)";
  Options options;
  options.threads = 1;
  Device device(AgpuSpec{}, options);
  const Address x = device.memory().allocate(128, "x");
  const Address table = device.memory().allocate(128, "table");
  std::memset(reinterpret_cast<void*>(x), 0, 128);
  std::memcpy(reinterpret_cast<void*>(table), &x, sizeof(x));
  for (const Address each : {x, table}) device.memory().mark_written(each, 128);
  const std::vector<Address> parameters{x, table};
  auto module = std::make_shared<const Module>(Module::parse(text, "test.ptx"));
  return device.launch(
      {Program::compile(module, "k"), {2}, {32}, 0, std::as_bytes(std::span(parameters))});
}

}  // namespace

TEST_CASE("PTX: a race is found whichever way the address of a write comes", "[ptx]") {
  const std::string way = GENERATE(
      as<std::string>(),  //
      "mov.u64 %rd5, %rd1;", "selp.b64 %rd5, %rd1, %rd2, %p1;", "cvta.to.global.u64 %rd5, %rd1;",
      "sub.s64 %rd7, %rd1, %rd2; add.s64 %rd5, %rd2, %rd7;", "ld.global.u64 %rd5, [%rd2];",
      "ld.global.v2.u32 {%r4, %r5}, [%rd2]; mov.b64 %rd5, {%r4, %r5};",
      "ld.param.v2.u32 {%r4, %r5}, [x]; mov.b64 %rd5, {%r4, %r5};",
      "mov.b64 {%r4, %r5}, %rd1; shfl.sync.idx.b32 %r6, %r4, 0, 31, -1; mov.b64 %rd5, {%r6, %r5};",
      "mov.b64 %rd7, x; ld.param.u64 %rd5, [%rd7];",
      "st.global.u64 [kept], %rd1; ld.global.u64 %rd5, [kept];",
      "{ .param .b64 a; st.param.b64 [a], %rd1; .param .b64 b;\n"
      "call.uni (b), same, (a); ld.param.b64 %rd5, [b]; }");
  CAPTURE(way);
  const LaunchReport report = ran(way);
  CHECK(std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& found) {
    return found.rule == Rule::global_race && found.text.find("CTA 0") != std::string::npos;
  }));
}

}  // namespace agpusim::ptx
