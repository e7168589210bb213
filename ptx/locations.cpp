#include "agpusim/ptx/locations.hpp"

namespace agpusim::ptx {

void Locations::set(const Position& position, const std::optional<Position>& caller) {
  constexpr int most_callers = 100;  // a recursive function may be its own caller
  if (position.line == 0) return;    // code that belongs to no line
  if (caller) {
    callers_[position] = *caller;
  } else {
    callers_.erase(position);
  }
  if (first_.line == 0) {
    const Position& own = caller ? *caller : position;
    first_ = {own.file, own.line};
  }
  Position at = position;
  for (int i = 0; i < most_callers; ++i) {
    if (at.line != 0) current_ = {at.file, at.line};
    if (at.file == first_.file && at.line != 0) return;
    const auto outer = callers_.find(at);
    if (outer == callers_.end()) return;
    at = outer->second;
  }
}

}  // namespace agpusim::ptx
