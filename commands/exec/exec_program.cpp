#include "agpusim/commands/exec/exec_program.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/interrupt.hpp"
#include "agpusim/commands/exec/program_file.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/program_folders.hpp"
#include "agpusim/validation/exec/launch_record.hpp"
#include "agpusim/validation/exec/nvidia_libraries.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim {
namespace {

/// `first` before what the environment variable has.
std::string in_front(const char* variable, const std::string& first) {
  const char* const old = std::getenv(variable);
  return old == nullptr || *old == '\0' ? first : fmt::format("{}:{}", first, old);
}

std::vector<std::string> environment_for(const std::filesystem::path& program,
                                         const exec::Settings& settings, const ReportFile& report) {
  const std::filesystem::path newest = runtime_library().parent_path();
  std::vector<std::string> folders;
  std::vector<std::string> libraries;  // DT_RPATH of a program beats LD_LIBRARY_PATH
  for (const std::string_view version : exec::runtime_versions) {
    folders.push_back((newest.parent_path() / version).string());
    libraries.push_back(fmt::format("{}/libcudart.so.{}", folders.back(), version));
  }
  for (const std::string& name : exec::read_program(program).needed) {
    if (exec::is_own_library(name)) libraries.push_back((newest / name).string());
  }
  // The loader parts the list at blanks, and complains of what is not there in each process.
  std::erase_if(libraries, [](const std::string& path) {
    std::error_code none;
    return path.find(' ') != std::string::npos || !std::filesystem::exists(path, none);
  });
  const std::string folder_list = fmt::format("{}", fmt::join(folders, ":"));
  const std::string library_list = fmt::format("{}", fmt::join(libraries, ":"));
  const std::pair<const char*, std::string> ours[] = {
      {"LD_LIBRARY_PATH", in_front("LD_LIBRARY_PATH", folder_list)},
      {"LD_PRELOAD", in_front("LD_PRELOAD", library_list)},
      {"ASAN_OPTIONS", in_front("ASAN_OPTIONS", "verify_asan_link_order=0")},  // ours come first
      {"TRITON_LIBCUDA_PATH", newest.string()},  // what its launchers link
      {exec::report_variable, report.path().string()},
      {exec::settings_variable, exec::to_json(settings)}};
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text = *each;
    bool is_ours = false;
    for (const auto& [name, value] : ours) is_ours |= text.starts_with(fmt::format("{}=", name));
    if (!is_ours) all.emplace_back(text);
  }
  for (const auto& [name, value] : ours) all.push_back(fmt::format("{}={}", name, value));
  return all;
}

std::vector<char*> pointers_of(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// Whether Ctrl-C of the terminal has gone to the program too.
bool terminal_tells_all() {
  const int terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC);
  const bool tells = terminal >= 0 && tcgetpgrp(terminal) == getpgrp();
  if (terminal >= 0) close(terminal);
  return tells;
}

int wait_for(pid_t child) {
  constexpr int turn_us = 2000;  // waitpid() itself would not return for Ctrl-C
  bool passed_on = false;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) != child) {
    usleep(turn_us);
    if (!interrupted() || passed_on) continue;
    passed_on = true;
    if (interrupt_signal() != SIGINT || !terminal_tells_all()) kill(child, interrupt_signal());
  }
  return exit_code_of(status);
}

}  // namespace

std::optional<std::filesystem::path> find_above_program(const std::string& name) {
  for (const std::filesystem::path& folder : folders_above_program()) {
    std::error_code none;
    if (std::filesystem::exists(folder / name, none)) return folder / name;
  }
  return std::nullopt;
}

std::filesystem::path runtime_library() {
  const std::string name =
      fmt::format("lib/agpusim/cudart/{0}/libcudart.so.{0}", exec::runtime_versions[0]);
  if (auto found = find_above_program(name)) return *found;
  throw Unavailable(fmt::format(
      "{} is in no folder above this program: build the target agpusim_cudart, or install agpusim",
      name));
}

std::optional<std::filesystem::path> find_on_path(
    const std::string& name, const std::function<bool(const std::filesystem::path&)>& accepts) {
  const char* const folders = std::getenv("PATH");
  std::istringstream list(folders == nullptr ? "" : folders);
  for (std::string folder; std::getline(list, folder, ':');) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    if (access(path.c_str(), X_OK) == 0 && accepts(path)) return path;
  }
  return std::nullopt;
}

std::filesystem::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  if (auto found = find_on_path(name, [](const auto&) { return true; })) return *found;
  throw UsageError(
      fmt::format("no program '{0}' in the folders of PATH: for one that is here, "
                  "./{0}",
                  name));
}

TemporaryFolder::TemporaryFolder(const std::string& name) : path_(make_private_folder(name)) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

ReportFile::ReportFile() { std::ofstream{path()}; }

int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int wait_for_end(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return exit_code_of(status);
}

pid_t start_command(const std::string& program, std::vector<std::string> command,
                    std::vector<std::string>* environment, const Redirected& redirected) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int number : {SIGPIPE, SIGXFSZ}) sigaddset(&defaults, number);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (redirected.drops_output) {
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  }
  if (redirected.errors >= 0) {
    posix_spawn_file_actions_adddup2(&files, redirected.errors, STDERR_FILENO);
  }
  pid_t child = -1;
  const int error =
      posix_spawnp(&child, program.c_str(), &files, &attributes, pointers_of(command).data(),
                   environment == nullptr ? environ : pointers_of(*environment).data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw IoError(fmt::format("cannot run '{}': {}", program, std::strerror(error)));
  }
  return child;
}

int run_program(const std::filesystem::path& program, const std::vector<std::string>& command,
                const exec::Settings& settings, const ReportFile& report, bool quiet) {
  std::vector<std::string> environment = environment_for(program, settings, report);
  defer_interrupt();
  defer_termination();
  return wait_for(start_command(program, command, &environment, {quiet}));
}

}  // namespace agpusim
