#include "agpusim/commands/exec/program_file.hpp"

#include <algorithm>
#include <filesystem>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

using Catch::Matchers::ContainsSubstring;

namespace agpusim::exec {
namespace {

std::string refusal(const ProgramFile& program) {
  return test::message_of<Unavailable>([&] { require_runtime(program, "./prog"); });
}

}  // namespace

TEST_CASE("the libraries of a program are read from its file", "[exec]") {
  const ProgramFile self = read_program("/proc/self/exe");
  CHECK_FALSE(self.is_script);
  CHECK_FALSE(self.has_kernels);
  CHECK(std::find(self.needed.begin(), self.needed.end(), "libc.so.6") != self.needed.end());
}

TEST_CASE("a program that is cut is read as far as it goes", "[exec]") {
  const std::string whole = test::content("/proc/self/exe");
  const test::TempFolder folder;
  for (const std::size_t size : {64U, 100U, 1000U}) {
    test::put(folder / "cut", whole.substr(0, size));
    std::filesystem::permissions(folder / "cut", std::filesystem::perms::owner_all);
    CHECK(read_program(folder / "cut").needed.empty());
  }
  test::put(folder / "cut", whole.substr(0, 63));
  CHECK_THROWS_AS(read_program(folder / "cut"), UsageError);
}

TEST_CASE("programs that our runtime library cannot serve are refused", "[exec]") {
  for (const char* const library : {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"}) {
    CHECK(refusal({.needed = {library, "libc.so.6"}, .has_kernels = true}).empty());
  }
  CHECK(refusal({.needed = {"libc.so.6"}}).empty());
  CHECK_THAT(
      refusal({.needed = {"libc.so.6"}, .has_kernels = true}),
      ContainsSubstring("static CUDA runtime") && ContainsSubstring("agpusim build -- make"));
  CHECK_THAT(refusal({.needed = {"libcudart.so.10.2"}, .has_kernels = true}),
             ContainsSubstring("libcudart.so.10.2") && ContainsSubstring("CUDA 11, 12 or 13"));
  CHECK(refusal({.needed = {"libcublas.so.13", "libcurand.so.10", "libcudart.so.13"}}).empty());
  for (const std::string library : {"libcublas.so.12", "libcufftw.so.12", "libcudnn.so.9"}) {
    CHECK_THAT(refusal({.needed = {library, "libcudart.so.13"}, .has_kernels = true}),
               ContainsSubstring("needs " + library));
  }
}

}  // namespace agpusim::exec
