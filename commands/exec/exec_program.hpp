#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "agpusim/validation/exec/settings.hpp"

namespace agpusim {

/// The first file of that name in the folders above this program.
[[nodiscard]] std::optional<std::filesystem::path> find_above_program(const std::string& name);

/// The runtime library of agpusim. Throws Unavailable where it was not built.
[[nodiscard]] std::filesystem::path runtime_library();

/// The first file of that name in the folders of PATH that can be executed and is accepted.
[[nodiscard]] std::optional<std::filesystem::path> find_on_path(
    const std::string& name, const std::function<bool(const std::filesystem::path&)>& accepts);

/// The file of a program that a command line names, with the folders of PATH. Throws UsageError.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

/// A private folder that goes with the object.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

/// The report of a program, in a private folder.
class ReportFile {
 public:
  ReportFile();
  [[nodiscard]] std::filesystem::path path() const { return folder_ / "report"; }

 private:
  TemporaryFolder folder_{"agpusim-exec"};
};

/// Where a command's output goes that is not ours.
struct Redirected {
  bool drops_output = false;
  int errors = -1;  ///< descriptor that standard error becomes
};
/// Starts a program, or one in the folders of PATH, with usual signals; `environment` null: ours.
/// Throws IoError.
[[nodiscard]] pid_t start_command(const std::string& program, std::vector<std::string> command,
                                  std::vector<std::string>* environment = nullptr,
                                  const Redirected& redirected = {});
/// Waits for the end of a child, whatever signals this process gets.
[[nodiscard]] int wait_for_end(pid_t child);
/// The exit code in a status of waitpid(), or 128 and the signal.
[[nodiscard]] int exit_code_of(int status);

/// Runs a program on our runtime library and waits for its end; it and its children write to
/// `report`. Ctrl-C is passed on and remembered (interrupted()). `quiet`: what it prints on
/// standard output is dropped. Returns its exit code, or 128 and the signal that ended it. Throws
/// IoError where it cannot be started.
[[nodiscard]] int run_program(const std::filesystem::path& program,
                              const std::vector<std::string>& command,
                              const exec::Settings& settings, const ReportFile& report, bool quiet);

}  // namespace agpusim
