#include "agpusim/model/agpu/assignment.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {

TaskAssigner::TaskAssigner(const AgpuSpec& spec) : spec_(spec) {}

void TaskAssigner::place(std::size_t multiprocessor, const TaskCost& task) {
  load_[multiprocessor].time += task.time;
  load_[multiprocessor].io += task.io;
}

PhaseLoad TaskAssigner::assign(std::span<const TaskCost> tasks) {
  const auto k = static_cast<std::size_t>(spec_.multiprocessors());
  load_.assign(std::min(k, tasks.size()), TaskCost{});
  switch (spec_.assignment) {
    case Assignment::static_cyclic:
      for (std::size_t j = 0; j < tasks.size(); ++j) place(j % k, tasks[j]);
      break;
    case Assignment::list: {
      // Idle first; of equally loaded multiprocessors the one with the smallest number.
      using Entry = std::pair<std::int64_t, std::size_t>;
      std::priority_queue<Entry, std::vector<Entry>, std::greater<>> idle;
      for (std::size_t x = 0; x < load_.size(); ++x) idle.emplace(0, x);
      for (const TaskCost& task : tasks) {
        const std::size_t x = idle.top().second;
        idle.pop();
        place(x, task);
        idle.emplace(load_[x].time, x);
      }
      break;
    }
    case Assignment::next_fit: {
      std::int64_t sum = 0;
      for (const TaskCost& task : tasks) sum += task.time;
      const auto mps = static_cast<std::int64_t>(k);
      const std::int64_t cap =
          spec_.next_fit_cap > 0 ? spec_.next_fit_cap : (2 * sum + mps - 1) / mps;
      std::size_t x = 0;
      for (std::size_t j = 0; j < tasks.size(); ++j) {
        if (load_[x].time > 0 && load_[x].time + tasks[j].time > cap) ++x;
        if (x == load_.size()) {
          throw RuleViolation(
              fmt::format("next-fit: task {} does not fit below the cap of {} time units on {} "
                          "multiprocessors; "
                          "raise the cap or use list assignment",
                          j, cap, k));
        }
        place(x, tasks[j]);
      }
      break;
    }
  }
  if (total_.size() < load_.size()) total_.resize(load_.size());
  PhaseLoad result;
  for (std::size_t x = 0; x < load_.size(); ++x) {
    total_[x] += load_[x].time;
    result.time = std::max(result.time, load_[x].time);
    result.io_max = std::max(result.io_max, load_[x].io);
  }
  return result;
}

std::int64_t TaskAssigner::total_max() const {
  return total_.empty() ? 0 : *std::max_element(total_.begin(), total_.end());
}

}  // namespace agpusim
