#include "agpusim/model/agpu/assignment.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {

TaskAssigner::TaskAssigner(const AgpuSpec& spec) : spec_(spec) {}

void TaskAssigner::place(std::size_t multiprocessor, const TaskCost& task) {
  if (placement_ != nullptr) placement_->push_back(static_cast<std::int64_t>(multiprocessor));
  load_[multiprocessor].time += task.time;
  load_[multiprocessor].io += task.io;
}

void TaskAssigner::place_on_idle(const TaskCost& task) {
  const std::size_t x = idle_.top().second;
  idle_.pop();
  place(x, task);
  idle_.emplace(load_[x].time, x);
}

void TaskAssigner::begin_phase(std::int64_t tasks, std::vector<std::int64_t>* placement) {
  placement_ = placement;
  load_.assign(static_cast<std::size_t>(std::min(spec_.multiprocessors(), tasks)), TaskCost{});
  placed_ = 0;
  held_.clear();
  idle_ = {};
  if (spec_.assignment != Assignment::list) return;
  for (std::size_t x = 0; x < load_.size(); ++x) idle_.emplace(0, x);
}

void TaskAssigner::place(std::span<const TaskCost> tasks) {
  if (tasks.empty()) return;
  switch (spec_.assignment) {
    case Assignment::static_cyclic: {
      auto x = static_cast<std::size_t>(placed_ % static_cast<std::int64_t>(load_.size()));
      for (const TaskCost& task : tasks) {
        place(x, task);
        if (++x == load_.size()) x = 0;
      }
      break;
    }
    case Assignment::list:
      for (const TaskCost& task : tasks) place_on_idle(task);
      break;
    case Assignment::next_fit:
      held_.insert(held_.end(), tasks.begin(), tasks.end());
      break;
  }
  placed_ += static_cast<std::int64_t>(tasks.size());
}

void TaskAssigner::place_by_next_fit(std::int64_t cap) {
  std::size_t x = 0;
  for (std::size_t j = 0; j < held_.size(); ++j) {
    if (load_[x].time > 0 && load_[x].time + held_[j].time > cap) ++x;
    if (x == load_.size()) {
      throw RuleViolation(
          fmt::format("next-fit: task {} does not fit below the cap of {} time units on {} "
                      "multiprocessors; raise the cap or use list assignment",
                      j, cap, spec_.multiprocessors()));
    }
    place(x, held_[j]);
  }
}

PhaseLoad TaskAssigner::end_phase() {
  if (spec_.assignment == Assignment::next_fit) {
    std::int64_t sum = 0;
    for (const TaskCost& task : held_) sum += task.time;
    const std::int64_t k = spec_.multiprocessors();
    place_by_next_fit(spec_.next_fit_cap > 0 ? spec_.next_fit_cap : (2 * sum + k - 1) / k);
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

PhaseLoad TaskAssigner::assign(std::span<const TaskCost> tasks) {
  begin_phase(static_cast<std::int64_t>(tasks.size()));
  place(tasks);
  return end_phase();
}

PhaseLoad TaskAssigner::assign(const std::vector<TaskRun>& runs) {
  constexpr std::int64_t most_one_by_one = std::int64_t{1} << 22;
  std::int64_t tasks = 0;
  for (const TaskRun& run : runs) tasks += run.count;
  const bool cyclic = spec_.assignment == Assignment::static_cyclic;
  if (!cyclic && tasks <= most_one_by_one) {
    std::vector<TaskCost> costs;
    costs.reserve(static_cast<std::size_t>(tasks));
    for (const TaskRun& run : runs) {
      for (std::int64_t i = 0; i < run.count; ++i) {
        costs.push_back(run.costs[static_cast<std::size_t>(i) % run.costs.size()]);
      }
    }
    return assign(costs);
  }
  begin_phase(tasks);
  if (cyclic) {
    place_cyclically(runs);
  } else {
    place_on_idle(runs);
  }
  return end_phase();
}

/// Tasks of one place in a run's costs visit every (k / gcd)-th multiprocessor, again and again.
void TaskAssigner::place_cyclically(const std::vector<TaskRun>& runs) {
  const auto k = static_cast<std::int64_t>(load_.size());
  std::int64_t begin = 0;
  for (const TaskRun& run : runs) {
    const auto period = static_cast<std::int64_t>(run.costs.size());
    const std::int64_t cycle = k / std::gcd(k, period);
    for (std::int64_t c = 0; c < std::min(period, run.count); ++c) {
      const std::int64_t visits = (run.count - c + period - 1) / period;
      const TaskCost& cost = run.costs[static_cast<std::size_t>(c)];
      for (std::int64_t i = 0; i < std::min(cycle, visits); ++i) {
        const std::int64_t times = (visits - i + cycle - 1) / cycle;
        place(static_cast<std::size_t>((begin + c + i * period) % k),
              {times * cost.time, times * cost.io});
      }
    }
    begin += run.count;
  }
}

/// List assignment. Once no multiprocessor is ahead of another by more than a task, each takes one
/// of every k equal ones.
void TaskAssigner::place_on_idle(const std::vector<TaskRun>& runs) {
  const auto k = static_cast<std::int64_t>(load_.size());
  constexpr std::int64_t most_turns = std::int64_t{1} << 24;
  for (const TaskRun& run : runs) {
    const auto period = static_cast<std::int64_t>(run.costs.size());
    for (std::int64_t i = 0; i < run.count; ++i) {
      const TaskCost& cost = run.costs[static_cast<std::size_t>(i % period)];
      if (period == 1 && i % k == 0 && run.count - i >= k) {
        const auto [least, most] = std::minmax_element(
            load_.begin(), load_.end(),
            [](const TaskCost& a, const TaskCost& b) { return a.time < b.time; });
        if (most->time - least->time <= cost.time) {
          const std::int64_t rounds = (run.count - i) / k;
          idle_ = {};
          for (std::size_t x = 0; x < load_.size(); ++x) {
            place(x, {rounds * cost.time, rounds * cost.io});
            idle_.emplace(load_[x].time, x);
          }
          i += rounds * k - 1;
          continue;
        }
      }
      if (i > most_turns || spec_.assignment == Assignment::next_fit) {
        throw UsageError(
            fmt::format("{} assignment of more than 2^22 tasks of unequal cost is not derived; use "
                        "static assignment or a smaller n",
                        to_string(spec_.assignment)));
      }
      place_on_idle(cost);
    }
  }
}

std::int64_t TaskAssigner::total_max() const {
  return total_.empty() ? 0 : *std::max_element(total_.begin(), total_.end());
}

}  // namespace agpusim
