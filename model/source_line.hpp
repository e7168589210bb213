#pragma once

#include <cstdint>

namespace agpusim {

/// Where a word of a program stands, for messages and costs by line. Unlike SourceLine it
/// has no name of a function: those of kernels' lambdas are megabytes long.
class SourceLine {
 public:
  constexpr SourceLine() = default;
  constexpr SourceLine(const char* file, std::uint32_t line) : file_(file), line_(line) {}
  /// As a default argument: where the call stands.
  [[nodiscard]] static constexpr SourceLine current(const char* file = __builtin_FILE(),
                                                    std::uint32_t line = __builtin_LINE()) {
    return {file, line};
  }
  [[nodiscard]] constexpr const char* file_name() const { return file_; }
  [[nodiscard]] constexpr std::uint32_t line() const { return line_; }

 private:
  const char* file_ = "";
  std::uint32_t line_ = 0;
};

}  // namespace agpusim
