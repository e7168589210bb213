// Where cost and findings stand: which lines of the source a statement is given.

#include "agpusim/ptx/lower/program.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim::ptx {
namespace {

const std::string files =
    ".file 1 \"/home/me/main.cu\"\n.file 2 \"/home/me/inc/helper.hpp\"\n"
    ".file 3 \"/usr/local/cuda/bin/../targets/x86_64-linux/include/sm_30_intrinsics.hpp\"\n"
    ".file 4 \"/usr/local/cuda-13.0/include/cccl/cub/agent/agent_for.cuh\"\n";

/// "," stands for an instruction.
std::string text_of(std::string functions) {
  for (std::size_t at = 0; (at = functions.find(',', at)) != std::string::npos;) {
    const bool is_operand = functions[at + 1] == ' ';
    if (is_operand) {
      ++at;
    } else {
      functions.replace(at, 1, "\nmembar.cta;\n");
    }
  }
  return functions;
}

/// The kernel k.
std::shared_ptr<const Program> compiled(const std::string& functions) {
  return Program::compile(
      std::make_shared<const Module>(Module::parse(text_of(functions) + files, "PTX of main.cu")),
      "k");
}

/// The places of the instructions for which a comma stands.
std::vector<std::string> places(const std::string& functions) {
  const auto program = compiled(functions);
  std::vector<std::string> result;
  for (std::uint32_t s = 0; s < program->sources.size(); ++s) {
    if (program->sources[s].opcode == "membar.cta") result.push_back(program->place(s));
  }
  return result;
}

std::string kernel(const std::string& body) { return ".entry k() {\n" + body + "\nret;\n}\n"; }

using Places = std::vector<std::string>;

}  // namespace

TEST_CASE("PTX: files of the system and of toolkits are told by their paths", "[ptx]") {
  for (const char* const path :
       {"/usr/include/c++/12/cmath", "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h",
        "/usr/local/cuda/include/cuda_fp16.hpp", "/usr/local/cuda-13.0/include/cccl/cub/cub.cuh",
        "/opt/cuda/targets/x86_64-linux/include/crt/sm_70_rt.hpp",
        "/home/me/conda/targets/x86_64-linux/include/cooperative_groups.h",
        "/home/me/build/_deps/cccl-src/thrust/thrust/sort.h", "/home/me/libs/cub/cub/cub.cuh",
        "/opt/gcc-13/include/c++/13/vector", "/home/me/libcudacxx/include/cuda/std/array",
        "/opt/nvidia/hpc_sdk/Linux_x86_64/25.1/cuda/include/curand_kernel.h"}) {
    INFO(path);
    CHECK(is_foreign(path));
  }
  for (const char* const path :
       {"/home/me/main.cu", "main.cu", "include/helper.hpp", "/home/me/cub/sort.cu",
        "/home/me/thrust/main.cu", "/usr/src/app/main.cu", "/usr/local/src/prog/include/a.cuh",
        "/usr/local/cuda/samples/common/inc/helper_cuda.h", "/home/me/cuda/include/kernels.cuh",
        "/work/targets/main.cu", ""}) {
    INFO(path);
    CHECK_FALSE(is_foreign(path));
  }
}

TEST_CASE("PTX: a statement stands at the innermost line of the program's own tree", "[ptx]") {
  // Own code that was inlined, and a toolkit's.
  CHECK(places(kernel(".loc 1 3 5\n,.loc 2 5 3, function_name $a, inlined_at 1 3 5\n,.loc 3 40 1, "
                      "function_name $b, inlined_at 2 5 3\n,.loc 3 40 1, function_name $b, "
                      "inlined_at 1 7 1\n,.loc 1 0 5\n,")) ==
        Places{"main.cu:3", "helper.hpp:5 (called at main.cu:3)",
               "helper.hpp:5 (called at main.cu:3)", "main.cu:7", "main.cu:7"});
  // A kernel of a library with a functor of the program, and without.
  CHECK(
      places(kernel(".loc 4 30 1\n,.loc 4 9 1, function_name $a, inlined_at 4 30 1\n,.loc 1 12 2, "
                    "function_name $b, inlined_at 4 9 1\n,.loc 3 40 1, function_name $c, "
                    "inlined_at 1 12 2\n,.loc 3 40 1, function_name $c, inlined_at 4 9 1\n,")) ==
      Places{"agent_for.cuh:30", "agent_for.cuh:9", "main.cu:12", "main.cu:12", "agent_for.cuh:9"});
  // Own lines of a line of its own have been called by what called that.
  CHECK(places(kernel(".loc 1 7 1\n.loc 4 9 1, function_name $a, inlined_at 1 7 1\n"
                      ".loc 1 7 9, function_name $b, inlined_at 4 9 1\n,")) == Places{"main.cu:7"});
}

TEST_CASE("PTX: a lambda in a lambda, each given to one template, has two callers", "[ptx]") {
  // As nvcc writes it, which returns to the outer one by its position alone.
  const std::string both =
      ".loc 1 11 3\n.loc 2 3 3, function_name $a, inlined_at 1 11 3\n"
      ".loc 1 12 5, function_name $b, inlined_at 2 3 3\n,.loc 2 3 3, function_name $c, inlined_at "
      "1 12 5\n,.loc 1 13 9, function_name $d, inlined_at 2 3 3\n,";
  const Places expected = {"main.cu:12 (called at helper.hpp:3)",
                           "helper.hpp:3 (called at main.cu:12)",
                           "main.cu:13 (called at helper.hpp:3)"};
  CHECK(places(kernel(both)) == expected);
  Places twice = expected;
  twice.insert(twice.end(), expected.begin(), expected.end());
  const auto program = compiled(kernel(both + both));
  for (std::uint32_t s = 0; s < 6; ++s) {
    CHECK(program->place(s) == twice[s]);
    CHECK(program->where(s).called_at == program->where(s % 3).called_at);
  }
  CHECK(program->where(2).called_at.size() == 4);
  const std::string back = ".loc 1 12 5, function_name $b, inlined_at 2 3 3\n,";
  const auto again = compiled(kernel(both + back));
  CHECK(again->where(3).called_at == again->where(0).called_at);
  CHECK(places(kernel(".loc 1 3 5\n.loc 2 5 3, function_name $a, inlined_at 1 3 5\n,.loc 1 4 "
                      "1\n,.loc 2 5 3\n,")) == Places{"helper.hpp:5 (called at main.cu:3)",
                                                      "main.cu:4",
                                                      "helper.hpp:5 (called at main.cu:3)"});
}

TEST_CASE("PTX: positions that call each other in a circle end", "[ptx]") {
  std::string circle = ".loc 1 3 5\n";
  for (int i = 0; i < 300; ++i) {
    circle +=
        ".loc 1 4 1, function_name $a, inlined_at 1 4 1\n,.loc 1 5 1, function_name $a, inlined_at "
        "1 6 1\n,.loc 1 6 1, function_name $a, inlined_at 1 5 1\n,";
  }
  CHECK(places(kernel(circle)).size() == 900);
  std::string chain = ".loc 1 1 1\n";
  for (int line = 2; line < 1000; ++line) {
    chain += ".loc 1 " + std::to_string(line) + " 1, function_name $a, inlined_at 1 " +
             std::to_string(line - 1) + " 1\n";
  }
  CHECK(places(kernel(chain + ',')) == Places{"main.cu:999 (called at main.cu:998)"});
}

TEST_CASE("PTX: a function that is not inlined knows its calls", "[ptx]") {
  const std::string own = ".func own() { .loc 2 8 1\n,ret; }\n";
  const std::string library =
      ".func libdevice() {,ret; }\n.func outer() {,call libdevice;\nret; }\n";
  const std::string toolkit =
      ".func toolkit() { .loc 3 50 1\n,.loc 1 20 1, function_name $a, inlined_at 3 50 1\n,ret; }\n";
  CHECK(places(own + kernel(".loc 1 3 5\n,call own;\n.loc 1 4 5\ncall own;\n,")) ==
        Places{"main.cu:3", "helper.hpp:8 (called at main.cu:3)",
               "helper.hpp:8 (called at main.cu:4)", "main.cu:4"});
  CHECK(places(library + kernel(".loc 1 3 5\n.loc 3 9 1, function_name $a, inlined_at 1 3 5\n"
                                "call outer;\n")) == Places{"main.cu:3", "main.cu:3"});
  CHECK(places(toolkit + kernel(".loc 1 3 5\ncall toolkit;\n")) ==
        Places{"main.cu:3", "main.cu:20 (called at main.cu:3)"});
  // Nothing is known but the line of the PTX; a file without a name is nothing.
  CHECK(places(kernel(",")) == Places{"PTX of main.cu:3"});
  CHECK(places(library + kernel(".loc 9 3 5\ncall outer;\n")) ==
        Places{"PTX of main.cu:5", "PTX of main.cu:2"});
}

TEST_CASE("PTX: a refusal names the place in the source", "[ptx]") {
  const std::string refused = ".func f() {\nwgmma.fence.sync.aligned;\nret; }\n";
  const auto program = compiled(
      refused + kernel(".loc 1 3 5\n.loc 2 5 3, function_name $a, inlined_at 1 3 5\ncall f;\n"));
  REQUIRE(program->refusals.size() == 1);
  CHECK(std::string(program->refusals[0].what()) ==
        "line 2: wgmma.fence.sync.aligned at helper.hpp:5 (called at main.cu:3) is not supported");
}

}  // namespace agpusim::ptx
