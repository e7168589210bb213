#include "agpusim/validation/ranks/hand_out.hpp"

#include <utility>

namespace agpusim::ranks {
namespace {

constexpr int most_deaths = 3;

}  // namespace

HandOut::HandOut(std::vector<std::size_t> order, std::size_t ranks)
    : tasks_(order.size()), fresh_(order.begin(), order.end()), with_(ranks) {}

std::optional<std::size_t> HandOut::take(std::deque<std::size_t>& queue) {
  while (!queue.empty()) {
    const std::size_t task = queue.front();
    queue.pop_front();
    if (!tasks_[task].done) return task;
  }
  return std::nullopt;
}

std::optional<std::size_t> HandOut::next(std::size_t rank, std::size_t most) {
  std::vector<std::size_t>& mine = with_[rank];
  const bool alone = !mine.empty() && tasks_[mine.front()].deaths > 0;
  if (alone || mine.size() >= most) return std::nullopt;
  std::optional<std::size_t> task = take(fresh_);
  if (!task && mine.empty()) task = take(suspected_);
  if (task) mine.push_back(*task);
  return task;
}

bool HandOut::returned(std::size_t rank, std::size_t task) {
  std::erase(with_[rank], task);
  State& state = tasks_[task];
  if (std::exchange(state.done, true)) return false;
  ++done_;
  if (state.deaths >= most_deaths) --given_up_;
  return true;
}

std::size_t HandOut::died(std::size_t rank) {
  const std::vector<std::size_t> tasks = std::exchange(with_[rank], {});
  for (const std::size_t task : tasks) {
    State& state = tasks_[task];
    if (state.done) continue;
    ++state.deaths;
    if (state.deaths < most_deaths) suspected_.push_back(task);
    if (state.deaths == most_deaths) ++given_up_;
  }
  return tasks.size();
}

void HandOut::close() {
  left_ += fresh_.size();
  fresh_.clear();
}

std::vector<std::size_t> HandOut::given_up() const {
  std::vector<std::size_t> tasks;
  for (std::size_t task = 0; task < tasks_.size(); ++task) {
    if (!tasks_[task].done && tasks_[task].deaths >= most_deaths) tasks.push_back(task);
  }
  return tasks;
}

}  // namespace agpusim::ranks
