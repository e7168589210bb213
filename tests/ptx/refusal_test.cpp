// What the engine does not do is refused by its name and its line.

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

}  // namespace agpusim::ptx
