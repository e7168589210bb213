#include "agpusim/cli/processor_program.hpp"

#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

// Which of a package's programs is started.
namespace agpusim {
namespace {

constexpr int no_other = 9;

/// A program for `arch` that exits with `code`.
void put_program(const test::TempFolder& folder, const std::string& arch, int code) {
  const std::filesystem::path place = folder.path() / arch;
  std::filesystem::create_directory(place);
  std::ofstream(place / "agpusim")
      << "#!/bin/sh\n[ \"$1\" = list ] && exit " << code << "\nexit 1\n";
  std::filesystem::permissions(place / "agpusim", std::filesystem::perms::owner_all);
}

/// The exit code of the program for this processor, started with AGPUSIM_ARCH = `arch` if not null.
int started(const test::TempFolder& folder, const char* arch) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    unsetenv("AGPUSIM_ARCH");
    if (arch != nullptr) setenv("AGPUSIM_ARCH", arch, 1);
    std::string words[] = {"agpusim", "list"};
    char* argv[] = {words[0].data(), words[1].data(), nullptr};
    start_for_processor(folder.path().string(), argv);
    _exit(no_other);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

#ifdef __x86_64__
TEST_CASE("the newest of a package's programs that the processor runs is started", "[cli]") {
  const bool v3 = __builtin_cpu_supports("x86-64-v3") != 0;
  const bool v4 = __builtin_cpu_supports("x86-64-v4") != 0;
  const test::TempFolder folder;
  CHECK(started(folder, nullptr) == no_other);
  put_program(folder, "x86-64-v3", 3);
  CHECK(started(folder, nullptr) == (v3 ? 3 : no_other));
  CHECK(started(folder, "x86-64-v4") == no_other);
  put_program(folder, "x86-64-v4", 4);
  CHECK(started(folder, nullptr) == (v4 ? 4 : v3 ? 3 : no_other));
  CHECK(started(folder, "x86-64-v4") == (v4 ? 4 : no_other));
  CHECK(started(folder, "x86-64-v3") == (v3 ? 3 : no_other));
  CHECK(started(folder, "x86-64") == no_other);
}
#endif

}  // namespace agpusim
