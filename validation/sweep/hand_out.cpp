#include "agpusim/validation/sweep/hand_out.hpp"

#include <algorithm>
#include <utility>

namespace agpusim::sweep {
namespace {

constexpr int most_deaths = 3;

}  // namespace

HandOut::HandOut(std::vector<std::size_t> order, std::size_t ranks)
    : runs_(order.size()), fresh_(order.begin(), order.end()), with_(ranks) {}

std::optional<std::size_t> HandOut::take(std::deque<std::size_t>& queue) {
  while (!queue.empty()) {
    const std::size_t run = queue.front();
    queue.pop_front();
    if (!runs_[run].counted) return run;
  }
  return std::nullopt;
}

std::optional<std::size_t> HandOut::next(std::size_t rank, std::size_t most) {
  std::vector<std::size_t>& mine = with_[rank];
  const bool alone = !mine.empty() && runs_[mine.front()].deaths > 0;
  if (alone || mine.size() >= most) return std::nullopt;
  std::optional<std::size_t> run = take(fresh_);
  if (!run && mine.empty()) run = take(suspected_);
  if (run) mine.push_back(*run);
  return run;
}

bool HandOut::returned(std::size_t rank, std::size_t run) {
  std::erase(with_[rank], run);
  State& state = runs_[run];
  if (std::exchange(state.counted, true)) return false;
  ++counted_;
  if (state.deaths >= most_deaths) --given_up_;
  return true;
}

std::size_t HandOut::died(std::size_t rank) {
  const std::vector<std::size_t> runs = std::exchange(with_[rank], {});
  for (const std::size_t run : runs) {
    State& state = runs_[run];
    if (state.counted) continue;
    ++state.deaths;
    if (state.deaths < most_deaths) suspected_.push_back(run);
    if (state.deaths == most_deaths) ++given_up_;
  }
  return runs.size();
}

std::vector<std::size_t> HandOut::given_up() const {
  std::vector<std::size_t> runs;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    if (!runs_[run].counted && runs_[run].deaths >= most_deaths) runs.push_back(run);
  }
  return runs;
}

}  // namespace agpusim::sweep
