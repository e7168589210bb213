#pragma once

#include <cstdint>

#include "agpusim/model/fn.hpp"

namespace agpusim {

/// Where a word of a program stands, for messages and costs by line. Unlike
/// std::source_location it has no name of a function: those of kernels' lambdas are megabytes long.
/// nvcc compiles kernels for both machines as functions of host and device: so are these.
class SourceLine {
 public:
  constexpr SourceLine() = default;
  AGPUSIM_FN constexpr SourceLine(const char* file, std::uint32_t line)
      : file_(file), line_(line) {}
  /// As a default argument: where the call stands.
  [[nodiscard]] AGPUSIM_FN static constexpr SourceLine current(
      const char* file = __builtin_FILE(), std::uint32_t line = __builtin_LINE()) {
    return {file, line};
  }
  [[nodiscard]] constexpr const char* file_name() const { return file_; }
  [[nodiscard]] constexpr std::uint32_t line() const { return line_; }

 private:
  const char* file_ = "";
  std::uint32_t line_ = 0;
};

}  // namespace agpusim
