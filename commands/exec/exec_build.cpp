#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/exec/exec_program.hpp"
#include "agpusim/commands/exec/nvcc_call.hpp"
#include "agpusim/commands/exec/program_file.hpp"
#include "agpusim/commands/exec/toolkit_view.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/program_folders.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

/// The root of the view, for the library that is preloaded into the commands of a build.
constexpr const char* view_variable = "AGPUSIM_TOOLKIT_VIEW";

/// A variable of the environment gets a word before or after what it has.
void extend(const char* variable, const std::string& word, char between, bool before) {
  const char* const old = std::getenv(variable);
  const std::string had = old == nullptr ? "" : old;
  const std::string text = had.empty() ? word
                           : before    ? word + between + had
                                       : had + between + word;
  setenv(variable, text.c_str(), 1);
}

/// What recipes look into for the toolkit: nvcc, Make, CMake, meson and scripts.
void enter(const exec::ToolkitView& view) {
  const std::string root = view.root.string();
  extend("PATH", root + "/bin", ':', true);
  extend("LDFLAGS", "-L" + root + "/lib64", ' ', true);
  std::string assignments;
  for (const char* const variable :
       {"CUDA_PATH", "CUDA_HOME", "CUDA_DIR", "CUDA_ROOT", "CUDA_INSTALL_PATH", "CUDA_TOOLKIT_PATH",
        "CUDAToolkit_ROOT"}) {
    setenv(variable, root.c_str(), 1);
    assignments += fmt::format(" {}={}", variable, root);  // stronger than those in a makefile
  }
  setenv("CUDACXX", (root + "/bin/nvcc").c_str(), 1);
  extend("MAKEFLAGS", "--" + assignments, ' ', false);
  // What a recipe runs while it builds, such as CMake to find the native architecture.
  const fs::path runtimes = runtime_library().parent_path().parent_path();
  for (auto each = exec::runtime_versions.rbegin(); each != exec::runtime_versions.rend(); ++each) {
    extend("LD_LIBRARY_PATH", (runtimes / *each).string(), ':', true);
  }
  setenv(view_variable, root.c_str(), 1);
  if (const auto calls = find_above_program("lib/agpusim/libagpusim_build_calls.so")) {
    extend("LD_PRELOAD", calls->string(), ':', true);
    extend("ASAN_OPTIONS", "verify_asan_link_order=0", ':', true);
  }
}

/// Whether CMake is called to configure a folder, which chooses the runtime.
bool configures(const std::vector<std::string>& command) {
  if (fs::path(command[0]).filename() != "cmake") return false;
  for (const std::string& word : command) {
    for (const char* const other : {"--build", "--install", "--open", "-E", "-P", "--workflow"}) {
      if (word == other) return false;
    }
  }
  return true;
}

/// Runs a command to its end and gives back its exit code. `errors` receives the begin of what it
/// writes to standard error, which it `shows`; null: nothing.
int run(std::vector<std::string> command, std::string* errors, bool shows = true) {
  constexpr std::size_t most_errors = 1 << 20;
  std::array<int, 2> ends{-1, -1};
  if (errors != nullptr && pipe2(ends.data(), O_CLOEXEC) != 0) errors = nullptr;
  const std::string program = command.front();
  const pid_t child = start_command(program, std::move(command), nullptr, {false, ends[1]});
  // A terminal interrupts the command too, which decides.
  const auto usual = std::signal(SIGINT, SIG_IGN);
  if (errors != nullptr) {
    close(ends[1]);
    std::array<char, 4096> part{};
    for (ssize_t count = 0; (count = read(ends[0], part.data(), part.size())) > 0;) {
      if (shows && write(STDERR_FILENO, part.data(), static_cast<std::size_t>(count)) < 0) break;
      if (errors->size() < most_errors)
        errors->append(part.data(), static_cast<std::size_t>(count));
    }
    close(ends[0]);
  }
  const int code = wait_for_end(child);
  std::signal(SIGINT, usual);
  return code;
}

/// The first nvcc on PATH that is of no view, or that of /usr/local/cuda.
std::optional<fs::path> find_nvcc() {
  if (auto found = find_on_path("nvcc", [](const fs::path& path) {
        return !fs::exists(exec::names_header(path.parent_path().parent_path()));
      })) {
    return found;
  }
  const fs::path usual = "/usr/local/cuda/bin/nvcc";
  return fs::exists(usual) ? std::optional(usual) : std::nullopt;
}

/// One call of nvcc in a build.
[[noreturn]] void run_nvcc(const std::string& nvcc, const std::vector<std::string>& words) {
  unsetenv(exec::build_variable);
  const char* const view = std::getenv("CUDAToolkit_ROOT");
  unsetenv(view_variable);
  const std::string names = view == nullptr ? "" : exec::names_header(view).string();
  std::vector<std::string> command = exec::nvcc_arguments(words, names);
  command.insert(command.begin(), nvcc);
  std::string errors;
  const bool tells_place = std::find(words.begin(), words.end(), "-v") != words.end();
  int code = run(command, &errors, !tells_place);
  if (tells_place && view != nullptr) {  // CMake asks so where the toolkit is
    static const std::regex top("#\\$ TOP=.*");
    fmt::print(stderr, "{}", std::regex_replace(errors, top, fmt::format("#$$ TOP={}", view)));
    std::exit(code);
  }
  if (code != 0 && errors.find("Instruction 'vote' without '.sync'") != std::string::npos) {
    command.emplace_back("-DAGPUSIM_OLD_VOTES");
    errors.clear();
    code = run(command, &errors);
  }
  if (const auto advice = exec::advice_for(errors); code != 0 && advice) {
    fmt::print(stderr, "agpusim: {}\n", *advice);
  }
  std::exit(code);
}

[[noreturn]] void run_build(std::vector<std::string> command) {
  if (command.empty()) {
    throw UsageError("no command is named, for example: agpusim build -- make");
  }
  const std::string name = command[0];
  if (const auto nvcc = find_nvcc()) {
    const exec::ToolkitView view = exec::toolkit_view(*nvcc, this_program());
    enter(view);
    if (fs::path(name).filename() == "nvcc") command[0] = (view.root / "bin/nvcc").string();
    if (configures(command)) {
      command.insert(command.end(),
                     {fmt::format("-DCUDA_cudart_static_LIBRARY={}", view.runtime.string()),
                      "-DCMAKE_CUDA_RUNTIME_LIBRARY=Shared"});
    }
  } else {
    message("agpusim: no nvcc is on PATH nor in /usr/local/cuda: install NVIDIA's toolkit");
  }
  // For an nvcc that is called by its path: of two architectures the last counts.
  extend(exec::build_variable, fmt::format("-arch=sm_90 {}", exec::build_flags), ' ', false);
  const int code = run(std::move(command), nullptr);
  if (code != 0) {
    message(
        fmt::format("agpusim: '{}' failed with exit code {}; where it fails without agpusim too, "
                    "the cause is not the flags that `agpusim help build` names",
                    name, code));
  }
  std::exit(code);
}

}  // namespace

void setup_build(CLI::App& app) {
  CLI::App* const command =
      add_command(app, "build", "Build a CUDA program for `agpusim exec`, with its own makefile");
  const auto words = std::make_shared<std::vector<std::string>>();
  const auto nvcc = std::make_shared<std::string>();
  command->add_option("--nvcc", *nvcc, "be this nvcc: what the one on PATH of a build calls")
      ->type_name("FILE");
  command->add_option("command", *words, "what builds the program, behind --")
      ->type_name("COMMAND");
  command->footer(fmt::format(
      "Its nvcc stands first on PATH and compiles for {}.\nOlder architectures, a static "
      "runtime and -Werror are left out, C++ is 17 at least, and names that\nCUDA 13 has "
      "removed are those of today.\nExamples:\n  agpusim build -- make -B\n"
      "  agpusim build -- cmake -S . -B build-exec\n"
      "  agpusim build -- cmake --build build-exec",
      exec::build_flags));
  command->callback([words, nvcc] {
    if (nvcc->empty()) run_build(*words);
    run_nvcc(*nvcc, *words);
  });
}

}  // namespace agpusim
