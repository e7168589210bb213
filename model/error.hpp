#pragma once

#include <stdexcept>
#include <string>

namespace agpusim {

/// Exit codes of the command line, one per kind of failure (documented in `agpusim help
/// exit-codes`).
enum class ExitCode {
  ok = 0,
  internal = 1,     ///< a defect of agpusim itself
  usage = 2,        ///< an argument that cannot be used
  bad_file = 3,     ///< an input file that is damaged, edited or of another schema
  rule = 4,         ///< the program broke a rule of the abstract machine
  io = 5,           ///< a file or folder that cannot be read or written
  unavailable = 6,  ///< this build or machine lacks what was asked for (CUDA, a GPU)
  mismatch = 7,     ///< a result differs from its reference
};

/// Base of every error agpusim raises on purpose; the message names the thing, the place and the
/// remedy.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ExitCode code() const noexcept { return code_; }

 private:
  ExitCode code_;
};

struct UsageError : Error {
  explicit UsageError(const std::string& message) : Error(ExitCode::usage, message) {}
};
struct FileError : Error {
  explicit FileError(const std::string& message) : Error(ExitCode::bad_file, message) {}
};
struct RuleViolation : Error {
  explicit RuleViolation(const std::string& message) : Error(ExitCode::rule, message) {}
};
struct IoError : Error {
  explicit IoError(const std::string& message) : Error(ExitCode::io, message) {}
};
struct Unavailable : Error {
  explicit Unavailable(const std::string& message) : Error(ExitCode::unavailable, message) {}
};
struct Mismatch : Error {
  explicit Mismatch(const std::string& message) : Error(ExitCode::mismatch, message) {}
};

}  // namespace agpusim
