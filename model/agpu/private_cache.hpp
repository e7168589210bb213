#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace agpusim {

/// The L1 cache of a task that has it alone: which sectors of which lines it holds. A full one is
/// emptied.
class PrivateCache {
 public:
  static constexpr std::int64_t sector_bytes = 32;
  static constexpr std::int64_t line_bytes = 128;

  PrivateCache() : lines_(places) {}

  /// A task begins with an empty one.
  void clear() {
    ++filling_;
    held_ = 0;
  }
  /// Reads these sectors of the line, one bit each; those that it did not hold.
  std::uint32_t read(std::uint64_t line, std::uint32_t sectors) {
    constexpr std::uint64_t mix = 0x9e3779b97f4a7c15;
    std::size_t at = (line * mix >> 32) % places;
    while (lines_[at].filling == filling_ && lines_[at].number != line) at = (at + 1) % places;
    if (lines_[at].filling != filling_) {
      if (held_ == most) clear();
      ++held_;
      lines_[at] = {line, filling_, 0};
    }
    const std::uint32_t missed = sectors & ~lines_[at].sectors;
    lines_[at].sectors |= missed;
    return missed;
  }

 private:
  static constexpr std::size_t most = 1024;        // lines
  static constexpr std::size_t places = 4 * most;  // a power of two

  struct Line {
    std::uint64_t number = 0;
    std::uint64_t filling = 0;  // since when
    std::uint32_t sectors = 0;
  };

  std::vector<Line> lines_;  // open addressing by number
  std::uint64_t filling_ = 1;
  std::size_t held_ = 0;
};

}  // namespace agpusim
