#include "agpusim/model/agpu/turns.hpp"

namespace agpusim {

Turns::Spent Turns::spent() const {
  const LoneTask* const lone = context_.lone();
  return {context_.counts, lone != nullptr ? lone->executed() : Execution{}};
}

Turns::Spent Turns::between(const Spent& before, const Spent& after) {
  Spent part = after;
  part.counts -= before.counts;
  part.execution -= before.execution;
  return part;
}

std::int64_t Turns::skip(std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (skipped_) return start;
  begun_.push_back(spent());
  const std::int64_t period = context_.spec().alignment_period(step, context_.parts);
  const auto done = static_cast<std::int64_t>(begun_.size()) - 1;
  const auto last = (stop - start) / step - 1;  // full turns to leave out at most
  if (done <= 2 * period || last < period) return start;
  // The last two periods must agree, turn by turn.
  const auto turn = [&](std::int64_t i) {
    return between(begun_[static_cast<std::size_t>(i)], begun_[static_cast<std::size_t>(i + 1)]);
  };
  for (std::int64_t i = done - period; i < done; ++i) {
    if (turn(i) != turn(i - period)) return start;
  }
  const std::int64_t periods = last / period;
  const Spent repeated = between(begun_[static_cast<std::size_t>(done - period)], begun_.back());
  context_.counts += repeated.counts * periods;
  if (LoneTask* const lone = context_.lone()) lone->repeat(repeated.execution, periods);
  skipped_ = true;
  begun_ = {};
  return start + periods * period * step;
}

}  // namespace agpusim
