#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

/// The texts of notes between ranks.
namespace agpusim::sweep {

/// A run and, one a line, its points that a file has.
[[nodiscard]] std::string to_note(std::size_t run, const std::vector<std::string>& lines);

struct RunNote {
  std::size_t run = 0;
  std::vector<std::string> lines;
};
/// The inverse.
[[nodiscard]] RunNote from_note(const std::string& text);

/// How often a rank is heard of that has nothing to say.
[[nodiscard]] inline std::chrono::milliseconds sign_of_life(std::chrono::seconds patience) {
  return std::chrono::milliseconds(patience) / 5;
}

}  // namespace agpusim::sweep
