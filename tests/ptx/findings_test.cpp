// What findings say: the array, the element, and what to do.
#include <array>

#include "agpusim/ptx/run/arguments.hpp"
#include "agpusim/ptx/run/device.hpp"
#include "agpusim/ptx/text/kernel_name.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim::ptx {
namespace {

/// What a kernel of 64 threads of this body, which is given two pointers, is found to do wrong.
std::vector<Finding> findings(Device& device, const std::string& body,
                              const std::array<Address, 2>& pointers = {}) {
  const std::string text =
      ".visible .entry k(.param .u64 first, .param .u64 second) {\n"
      ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;\n"
      ".shared .align 4 .b8 _ZZ1kPfE4tile[128];\n.shared .align 8 .b8 _ZZ1kPfE3sum[8];\n"
      "ld.param.u64 %rd1, [first]; ld.param.u64 %rd2, [second]; mov.u32 %r1, %tid.x;\n"
      "mov.u64 %rd3, _ZZ1kPfE4tile; cvt.u32.u64 %r2, %rd3;\n" +
      body + "\nret;\n}\n.file 1 \"/home/me/main.cu\"\n";
  const auto module = std::make_shared<const Module>(Module::parse(text, "k.ptx"));
  return device
      .launch(
          {Program::compile(module, "k"), {}, {64, 1, 1}, 0, std::as_bytes(std::span(pointers))})
      .findings;
}

Finding only(const std::vector<Finding>& findings) {
  REQUIRE(findings.size() == 1);
  return findings[0];
}

}  // namespace

TEST_CASE("PTX: every rule says what to do", "[ptx]") {
  for (int rule = 0; rule <= static_cast<int>(Rule::assertion); ++rule) {
    for (const bool in_branch : {false, true}) {
      CHECK_FALSE(remedy_of(static_cast<Rule>(rule), in_branch).empty());
    }
  }
}

TEST_CASE("PTX: an access out of bounds names array, offset and element", "[ptx]") {
  Device device(AgpuSpec{});
  Memory& memory = device.memory();
  const Address a = memory.allocate(400, "a");
  const Address b = memory.allocate(1 << 20, "b");
  const auto text = [&](const std::string& access, Address first, Address second) {
    return only(findings(device, access, {first, second})).text;
  };
  const std::string read = "ld.global.u32 %r3, [%rd1";
  CHECK(text(read + "+400];", a, b) ==
        "reads 4 bytes at offset 400 of 400 bytes of a (element 100)");
  CHECK(text(read + "+-4];", a, b) == "reads 4 bytes at offset -4 of 400 bytes of a (element -1)");
  CHECK(text("st.global.v4.u32 [%rd1+400], {%r1, %r1, %r1, %r1};", a, b) ==
        "writes 16 bytes at offset 400 of 400 bytes of a (element 25)");
  CHECK(text(read + "+2];", a, b) ==
        "reads 4 bytes at offset 2 of 400 bytes of a, which is no multiple of 4");
  // Far behind it, what the pointer points to.
  CHECK(text(read + "+9000000];", b, a) ==
        "reads 4 bytes at offset 9000000 of 1048576 bytes of b (element 2250000)");
  memory.release(a);
  CHECK(text(read + "+8];", a, b) ==
        "reads 4 bytes at offset 8 of 400 bytes of a (element 2), which was released");
  CHECK(text(read + "];", 0, b) == "reads 4 bytes at offset 0 of a null pointer");
  CHECK(text(read + "+4000000];", 0, b) == "reads 4 bytes at offset 4000000 of a null pointer");
  CHECK(text(read + "+-8];", 0, b) == "reads 4 bytes at offset -8 of a null pointer");
  CHECK(text(read + "];", Address{1} << 60, b) == "reads 4 bytes at an address in no allocation");
}

TEST_CASE("PTX: memory of the host is called so", "[ptx]") {
  Device device(AgpuSpec{});
  const Address own = device.memory().allocate(100, "own");
  const auto heap = std::make_unique<std::array<int, 1024>>();
  const int local = 0;
  static const int variable = 0;
  for (const void* const pointer :
       std::initializer_list<const void*>{heap.get(), &local, &variable}) {
    const Finding finding = only(findings(device, "ld.global.u32 %r3, [%rd1+4];",
                                          {reinterpret_cast<Address>(pointer), own}));
    CHECK(finding.text ==
          "reads 4 bytes at offset 4 of a pointer to memory of the host (malloc, the stack or a "
          "variable)");
    CHECK(finding.remedy ==
          "a kernel can use what cudaMalloc, cudaMallocManaged or cudaMallocHost gave");
  }
}

TEST_CASE("PTX: shared arrays have their names", "[ptx]") {
  Device device(AgpuSpec{});
  const Finding race =
      only(findings(device, "shr.u32 %r3, %r1, 5; st.shared.u32 [_ZZ1kPfE3sum+4], %r3;"));
  CHECK(race.array == "sum");
  CHECK(race.text.find("writes 4 bytes at offset 4 of 8 bytes of sum (element 1), which thread ") ==
        0);
  const Finding unwritten = only(findings(
      device, "ld.shared.u32 %r3, [_ZZ1kPfE4tile+12]; setp.ne.u32 %p1, %r3, 7; @%p1 exit;"));
  CHECK(unwritten.text ==
        "reads 4 bytes at offset 12 of 128 bytes of tile (element 3), which this CTA has not "
        "written");
  CHECK(only(findings(device, "ld.shared.u32 %r3, [_ZZ1kPfE3sum+8];")).text ==
        "reads 4 bytes at offset 136 of 136 bytes of shared memory (element 34)");
  CHECK(variable_name("_ZZ1kPfE4tile") == "tile");
  CHECK(variable_name("_ZZ2stPfE3one_$_0") == "one");
  CHECK(variable_name("_ZZ1tILi8EEvPfE4tile") == "tile");
  CHECK(variable_name("__nv_static_22__b4864f9c_4_s_cu__Z1hf_table") == "table");
  CHECK(variable_name("dyn") == "dyn");
}

TEST_CASE("PTX: what an unrolled loop does at one line to one array is one finding", "[ptx]") {
  Device device(AgpuSpec{});
  const Address a = device.memory().allocate(400, "a");
  const Address b = device.memory().allocate(400, "b");
  const std::string unrolled =
      ".loc 1 3 1\nld.global.u32 %r3, [%rd1]; ld.global.u32 %r4, [%rd1+4]; "
      "ld.global.u32 %r5, [%rd2];\n.loc 1 4 1\nld.global.u32 %r6, [%rd2];";
  const std::vector<Finding> found = findings(device, unrolled, {a, b});
  REQUIRE(found.size() == 3);
  CHECK((found[0].array == "a" && found[0].times == 128 && found[0].place() == "main.cu:3"));
  CHECK((found[1].array == "b" && found[1].times == 64 && found[1].place() == "main.cu:3"));
  CHECK(found[2].place() == "main.cu:4");
}

TEST_CASE("PTX: no barrier is advised where some threads do not come", "[ptx]") {
  Device device(AgpuSpec{});
  const std::string warp = "shr.u32 %r3, %r1, 5;\n";
  const std::string write = "st.shared.u32 [%r2], %r3;";
  const std::string branch = "setp.ge.u32 %p1, %r1, 48; @%p1 bra end;\n" + write + "\nend:";
  CHECK(only(findings(device, warp + write)).remedy == remedy_of(Rule::shared_race, false));
  CHECK(only(findings(device, warp + branch)).remedy == remedy_of(Rule::shared_race, true));
  CHECK(only(findings(device, warp + "setp.lt.u32 %p1, %r1, 48; @%p1 " + write)).remedy ==
        remedy_of(Rule::shared_race, true));
}

TEST_CASE("PTX: warps that wait at one place are named together", "[ptx]") {
  Device device(AgpuSpec{});
  const std::vector<Finding> found = findings(device, ".loc 1 3 1\nbar.sync 1, 96;");
  CHECK(only(found).text == "no warp can go on; warps 0 to 1 wait for others at main.cu:3");
  CHECK(only(findings(device,
                      "setp.lt.u32 %p1, %r1, 32;\n@%p1 bra other;\n.loc 1 3 1\n"
                      "bar.sync 1, 96;\nother:\n.loc 1 4 1\nbar.sync 2, 96;"))
            .text ==
        "no warp can go on; warp 1 waits for others at main.cu:3; warp 0 waits for "
        "others at main.cu:4");
}

TEST_CASE("PTX: warps are to come to one __syncthreads() at one place", "[ptx]") {
  Device device(AgpuSpec{});
  const auto found = [&](const std::string& barrier, int line) {
    return findings(device, "setp.lt.u32 %p1, %r1, 32;\n@%p1 bra other;\n.loc 1 3 1\n" + barrier +
                                "\nret;\nother:\n.loc 1 " + std::to_string(line) + " 1\n" +
                                barrier);
  };
  for (const char* const barrier : {"bar.sync 0;", "barrier.sync.aligned 0;"}) {
    const Finding finding = only(found(barrier, 4));
    CHECK(finding.text == "comes to barrier 0 here, and warp 0 at main.cu:4");
    CHECK(finding.place() == "main.cu:3");
    CHECK(only(found(barrier, 3)).text ==
          "comes to barrier 0 here, and warp 0 at another place of main.cu:3");
  }
  for (const char* const barrier : {"barrier.sync 0;", "bar.sync 1;", "bar.sync 0, 64;"}) {
    CHECK(found(barrier, 4).empty());
  }
  CHECK(only(findings(device, "bar.sync 16;")).text == "barrier 16: there are 0 to 15");
}

TEST_CASE("PTX: bytes beside written ones may be copied, and not used", "[ptx]") {
  Device device(AgpuSpec{});
  const Address a = device.memory().allocate(400, "a");
  const std::string half = "setp.eq.u32 %p1, %r1, 0; @!%p1 exit; st.global.u8 [%rd1], %r1;\n";
  const auto found = [&](const std::string& body) { return findings(device, half + body, {a, a}); };
  const std::string load = "ld.global.v2.u32 {%r3, %r4}, [%rd1];\n";
  // The copy is as unwritten. The lower word may be used: its first byte was written.
  CHECK(found(load + "st.global.v2.u32 [%rd1+8], {%r3, %r4}; add.u32 %r5, %r3, 1;").empty());
  for (const char* const use :
       {"add.u32 %r5, %r4, 1;", "setp.eq.u32 %p2, %r4, 1; @%p2 exit;", "cvt.u64.u32 %rd4, %r4;",
        "mov.u32 %r5, %r4; add.u32 %r6, %r5, %r4;"}) {
    INFO(use);
    CHECK(only(found(load + use)).text ==
          "reads 8 bytes at offset 0 of 400 bytes of a (element 0), 7 of which nobody has written");
  }
  CHECK(only(found("ld.global.v2.u32 {%r3, %r4}, [%rd1+8]; add.u32 %r5, %r4, 1;")).text ==
        "reads 8 bytes at offset 8 of 400 bytes of a (element 1), 7 of which nobody has written");
  CHECK(only(found("ld.global.u32 %r4, [%rd1+4];")).text ==
        "reads 4 bytes at offset 4 of 400 bytes of a (element 1), which nobody has written");
  CHECK(
      only(found("st.global.u8 [%rd1+24], %r1; ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd1+16];"))
          .text ==
      "reads 16 bytes at offset 16 of 400 bytes of a (element 1), 15 of which nobody has written");
}

}  // namespace agpusim::ptx
