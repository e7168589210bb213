#include "agpusim/model/agpu/task_runs.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

std::vector<TaskExamples> by_class(const KernelCost& cost, std::int64_t tasks,
                                   std::int64_t alignment) {
  constexpr std::int64_t most = std::int64_t{1} << 24;
  if (tasks > most) {
    throw UsageError(
        fmt::format("counts of {} tasks of several classes cannot be derived: at most 2^24; choose "
                    "a smaller n",
                    tasks));
  }
  std::unordered_map<std::uint64_t, std::int64_t> first;  // task of a class
  std::vector<TaskExamples> runs;
  for (std::int64_t task = 0; task < tasks; ++task) {
    const std::int64_t example =
        first.try_emplace(cost.task_class(task, alignment), task).first->second;
    if (!runs.empty() && runs.back().examples.front() == example) {
      ++runs.back().count;
    } else {
      runs.push_back({1, {example}});
    }
  }
  return runs;
}

}  // namespace

std::vector<TaskExamples> examples_of(const KernelCost& cost, std::int64_t tasks,
                                      const AgpuSpec& spec) {
  const std::int64_t alignment = spec.alignment_period(1);
  if (cost.task_class) return by_class(cost, tasks, alignment);
  // Elements of a power of two of words never straddle blocks of one.
  const auto power = [](std::int32_t x) {
    return std::has_single_bit(static_cast<std::uint32_t>(x));
  };
  const bool aligned = power(spec.block_words) && spec.block_words >= spec.sector_words() &&
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
