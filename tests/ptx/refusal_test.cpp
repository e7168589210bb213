// What the engine does not do is refused by its name and its line.
// What a kernel may write: reads of the rest are not noted, so each way to an address counts.
#include <algorithm>
#include <cstring>
#include <span>

#include "agpusim/ptx/run/device.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim::ptx {

namespace {

/// What compiling and running a kernel k of one lane says; "" where nothing is wrong.
std::string refusal_of(const std::string& functions, const std::string& body) {
  const std::string text = functions +
                           ".visible .entry k() {\n"
                           ".reg .b32 %r<5>; .reg .b64 %rd<5>; .reg .pred %p<3>;\n"
                           ".shared .align 16 .b8 words[64];\n" +
                           body + "\nret;\n}\n";
  try {
    auto module = std::make_shared<const Module>(Module::parse(text, "test.ptx"));
    AgpuSpec spec;
    Device device(spec);
    const LaunchReport report = device.launch({Program::compile(module, "k"), {}, {}});
    return report.findings.empty() ? "" : report.findings[0].message();
  } catch (const PtxError& error) {
    CHECK(error.code() == ExitCode::unavailable);
    return error.what();
  }
}

}  // namespace

TEST_CASE("PTX: copies and mbarriers that the engine has not are refused", "[ptx]") {
  for (const char* const opcode : {
           "mbarrier.arrive.noComplete.shared.b64 %rd1, [words], 1",
           "mbarrier.init.global.b64 [words], 1",
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
           "[words], [%rd1], 16, [words], %r1",
           "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [words], "
           "[words], 16, [words]",
           "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%r1}], [words]",
           "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [words], 16",
       }) {
    const std::string name(opcode, std::string_view(opcode).find(' '));
    CHECK(refusal_of("", std::string(opcode) + ";") == "line 4: " + name + " is not supported");
  }
  CHECK(refusal_of("", "mbarrier.init.shared.b64 [words], 1;").empty());
}

TEST_CASE("PTX: what is refused is refused where it is executed", "[ptx]") {
  const std::string taken = "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0;\n@%p1 bra past;\n";
  const std::string never = "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0;\n@%p1 bra past;\n";
  for (const char* const what : {
           "tex.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [words, {%r1, %r2}]",
           "tex.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r1}]",
           "tex.1d.v4.f32.f32 {%r1, %r2}, [%rd1, {%r1}]",
           "tex.1d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r1}], {%r2}",
           "suld.b.1d.v2.b32.trap {%r1}, [%rd1, {%r1}]",
           "sust.b.a2d.b32.zero [%rd1, {%r1, %r2}], {%r1}",
           "mov.u32 %r1, %unknown",
           "add.u32 %r1, %r2, %r3, %r4",
       }) {
    INFO(what);
    CHECK(refusal_of("", never + what + ";\npast:").empty());
    CHECK(refusal_of("", taken + what + ";\npast:").find("line 6: ") == 0);
  }
  const std::string outside = ".extern .func f();\n";
  CHECK(refusal_of(outside, never + "call f;\npast:").empty());
  CHECK(refusal_of(outside, taken + "call f;\npast:") == "line 7: a call of f is not supported");
}

TEST_CASE("PTX: recursion without an end is found, through a register it is refused", "[ptx]") {
  const std::string recursive = ".func f() {\ncall f;\nret;\n}\n";
  CHECK(refusal_of(recursive, "call f;").find("lane 0: 513 recursive calls in one another") !=
        std::string::npos);
  // g takes the address of itself, and calls it.
  const std::string indirect =
      ".func g() {\n.reg .b64 %rd1;\nmov.u64 %rd1, g;\n"
      "p: .callprototype _ ();\ncall %rd1, (), p;\nret;\n}\n";
  CHECK(refusal_of(indirect, "call g;").find("line 5: a call of g through a register") == 0);
  // Never executed, it does no harm.
  CHECK(refusal_of(indirect, "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 call g;").empty());
  CHECK(
      refusal_of("", "p: .callprototype _ ();\nmov.u64 %rd1, 48;\ncall %rd1, (), p;")
          .find(
              "out of bounds at test.ptx:6 (call), CTA 0, warp 0, lane 0: calls 0x30, where no") ==
      0);
}

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
