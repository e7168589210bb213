#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "agpusim/validation/exec/settings.hpp"

namespace agpusim {

/// Major version of CUDA whose runtime library agpusim has its own of.
inline constexpr int runtime_major = 13;

/// The runtime library of agpusim. Throws Unavailable where it was not built.
[[nodiscard]] std::filesystem::path runtime_library();

/// The file of a program that a command line names, with the folders of PATH. Throws UsageError.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

/// A private folder with the report of a program; goes with the object.
class ReportFile {
 public:
  ReportFile();
  ~ReportFile();
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;
  [[nodiscard]] std::filesystem::path path() const { return folder_ / "report"; }

 private:
  std::filesystem::path folder_;
};

/// Runs a program on our runtime library and waits for its end; it and its children write to
/// `report`. Ctrl-C is passed on and remembered (interrupted()). `quiet`: what it prints on
/// standard output is dropped. Returns its exit code, or 128 and the signal that ended it. Throws
/// IoError where it cannot be started.
[[nodiscard]] int run_program(const std::filesystem::path& program,
                              const std::vector<std::string>& command,
                              const exec::Settings& settings, const ReportFile& report, bool quiet);

}  // namespace agpusim
