#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>

#include "agpusim/ptx/module.hpp"

namespace agpusim::ptx {

/// What a .loc names.
struct Position {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend auto operator<=>(const Position&, const Position&) = default;
};

/// Follows the .loc of one function.
class Locations {
 public:
  /// `caller`: of inlined_at, where `position` was inlined.
  void set(const Position& position, const std::optional<Position>& caller);
  /// Of the statements from here on: the innermost position in the function's own file, else the
  /// outermost.
  [[nodiscard]] const Location& current() const { return current_; }
  /// Of the function: its first .loc.
  [[nodiscard]] const Location& first() const { return first_; }

 private:
  Location first_;
  Location current_;
  std::map<Position, Position> callers_;
};

}  // namespace agpusim::ptx
