#pragma once

#include <filesystem>
#include <string>

namespace agpusim::test {

/// What a finished command left behind.
struct Finished {
  int exit_code = -1;  ///< -1: killed by a signal
  std::string out;
  std::string err;
};

/// Runs `agpusim <arguments>` through the shell in the current folder of the test and waits.
[[nodiscard]] Finished run_cli(const std::string& arguments);

/// Runs a shell command in which $AGPUSIM is the program under test.
[[nodiscard]] Finished shell(const std::string& command);

/// An empty folder that exists as long as the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The name of a file in it, for a command line.
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace agpusim::test
