#include "agpusim/model/agpu/turns.hpp"

#include <algorithm>

namespace agpusim {

std::int64_t Turns::skip(std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (skipped_) return start;
  begun_.push_back(context_.counts);
  const std::int64_t period = context_.spec().alignment_period(step);
  const auto done = static_cast<std::int64_t>(begun_.size()) - 1;
  const auto last = (stop - start) / step - 1;  // full turns to leave out at most
  if (done <= 2 * period || last < period) return start;
  // The last two periods must agree, turn by turn.
  const auto cost = [&](std::int64_t turn) {
    Counts counts = begun_[static_cast<std::size_t>(turn + 1)];
    counts -= begun_[static_cast<std::size_t>(turn)];
    return counts;
  };
  for (std::int64_t turn = done - period; turn < done; ++turn) {
    if (cost(turn) != cost(turn - period)) return start;
  }
  Counts repeated = begun_.back();
  repeated -= begun_[static_cast<std::size_t>(done - period)];
  const std::int64_t periods = last / period;
  context_.counts += repeated * periods;
  skipped_ = true;
  begun_ = {};
  return start + periods * period * step;
}

}  // namespace agpusim
