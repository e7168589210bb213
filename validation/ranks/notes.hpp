#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

/// The texts of notes between ranks.
namespace agpusim::ranks {

/// A task and, after a line break, what is known of it or its result.
[[nodiscard]] inline std::string to_note(std::size_t task, const std::string& text) {
  return std::to_string(task) + "\n" + text;
}
/// The inverse.
[[nodiscard]] inline std::pair<std::size_t, std::string> from_note(const std::string& note) {
  const std::size_t end = std::min(note.find('\n'), note.size() - 1);
  return {std::stoul(note.substr(0, end)), note.substr(end + 1)};
}

/// How often a rank is heard of that has nothing to say.
[[nodiscard]] inline std::chrono::milliseconds sign_of_life(std::chrono::seconds patience) {
  return std::chrono::milliseconds(patience) / 5;
}

}  // namespace agpusim::ranks
