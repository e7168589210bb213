#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/model/agpu/lane_context.hpp"

namespace agpusim {

/// The turns of one loop of a task. A loop whose turns cost the same, but for the alignment of what
/// they access, asks next() at the begin of each turn where to go on. Where every task is run the
/// answer is "here". Where counts are derived, turns that would repeat the last ones are charged
/// and left out; the first and the last always run.
class Turns {
 public:
  explicit Turns(LaneContext& context) : context_(context) {}

  /// Where the turn that would start at `start` starts; turns are `step` > 0 apart, the last full
  /// one ends at or before `stop`.
  template <class Index>
  [[nodiscard]] Index next(Index start, std::int64_t stop, std::int64_t step) {
    return context_.derives() ? static_cast<Index>(skip(start, stop, step)) : start;
  }

 private:
  std::int64_t skip(std::int64_t start, std::int64_t stop, std::int64_t step);

  LaneContext& context_;
  bool skipped_ = false;
  struct Spent {
    Counts counts;
    Execution execution;
    friend bool operator==(const Spent&, const Spent&) = default;
  };
  [[nodiscard]] Spent spent() const;
  [[nodiscard]] static Spent between(const Spent& before, const Spent& after);

  std::vector<Spent> begun_;  // what the task had spent at the begin of each turn so far
};

}  // namespace agpusim
