#include "agpusim/model/agpu/task_runs.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

/// The tasks in runs of one class each. Where classes repeat, those of the first period stand for
/// all but the last.
class ByClass {
 public:
  ByClass(const KernelCost& cost, std::int64_t tasks, std::int64_t alignment)
      : cost_(cost), tasks_(tasks), alignment_(alignment) {}

  std::vector<TaskExamples> runs() {
    const std::int64_t period = cost_.class_period ? cost_.class_period(alignment_) : tasks_;
    const std::int64_t times = (tasks_ - period) / period;  // periods before the last tasks
    if (times < 2) {
      look(0, tasks_);
      return std::move(runs_);
    }
    look(0, period);
    if (runs_.size() == 1) {
      runs_.front().count *= times;
    } else {
      const std::vector<TaskExamples> first = runs_;
      require(times * static_cast<std::int64_t>(first.size()));
      for (std::int64_t t = 1; t < times; ++t) {
        for (const TaskExamples& run : first) add(run.count, run.examples.front());
      }
    }
    look(times * period, tasks_);
    return std::move(runs_);
  }

 private:
  void require(std::int64_t number) const {
    constexpr std::int64_t most = std::int64_t{1} << 24;
    if (number <= most) return;
    throw UsageError(fmt::format(
        "counts of {} tasks of several classes cannot be derived: at most 2^24; choose a smaller n",
        tasks_));
  }
  void look(std::int64_t begin, std::int64_t end) {
    require(end - begin);
    for (std::int64_t task = begin; task < end; ++task) {
      add(1, first_.try_emplace(cost_.task_class(task, alignment_), task).first->second);
    }
  }
  void add(std::int64_t count, std::int64_t example) {
    if (!runs_.empty() && runs_.back().examples.front() == example) {
      runs_.back().count += count;
    } else {
      runs_.push_back({count, {example}});
    }
  }

  const KernelCost& cost_;
  std::int64_t tasks_;
  std::int64_t alignment_;
  std::unordered_map<std::uint64_t, std::int64_t> first_;  // task of a class
  std::vector<TaskExamples> runs_;
};

}  // namespace

std::vector<TaskExamples> examples_of(const KernelCost& cost, std::int64_t tasks,
                                      const AgpuSpec& spec, std::int32_t parts) {
  const std::int64_t alignment = spec.alignment_period(1, parts);
  if (cost.task_class) return ByClass(cost, tasks, alignment).runs();
  // Elements of a power of two of words never straddle blocks of one.
  const auto power = [](std::int32_t x) {
    return std::has_single_bit(static_cast<std::uint32_t>(x));
  };
  const bool aligned = parts == 1 && power(spec.block_words) &&
                       spec.block_words >= spec.sector_words() &&
                       power(spec.words_per_element(4)) && power(spec.words_per_element(8));
  std::vector<TaskExamples> runs = {{1, {0}}};
  if (tasks > 2) {
    TaskExamples inner{tasks - 2, {}};
    for (std::int64_t i = 0; i < std::min(inner.count, aligned ? 1 : alignment); ++i) {
      inner.examples.push_back(1 + i);
    }
    runs.push_back(std::move(inner));
  }
  if (tasks > 1) runs.push_back({1, {tasks - 1}});
  return runs;
}

}  // namespace agpusim
