#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/model/agpu/spec.hpp"

namespace agpusim {

/// Which tasks of a phase cost the same: what a kernel says of itself.
///   static constexpr bool oblivious = true;   its cost does not depend on data
///   std::uint64_t task_class(std::int64_t task, std::int64_t alignment) const;
///     tasks of one class cost the same. `alignment`: elements so far apart have equal prices.
///   std::int64_t class_period(std::int64_t alignment) const;   with task_class, where it repeats
///     a task has the class of the one so many tasks before it, but for the last so many tasks.
/// Without task_class all tasks but the first and the last are one class. Where a block is not
/// whole sectors, b not a power of two, or elements share a word, its tasks may differ by the
/// alignment of what they access, which repeats after `alignment` tasks.
struct KernelCost {
  bool oblivious = false;
  std::function<std::uint64_t(std::int64_t task, std::int64_t alignment)> task_class;
  std::function<std::int64_t(std::int64_t alignment)> class_period;  ///< empty: none is known

  template <class Kernel>
  [[nodiscard]] static KernelCost of(const Kernel& kernel) {
    KernelCost cost;
    if constexpr (requires { Kernel::oblivious; }) cost.oblivious = Kernel::oblivious;
    if constexpr (requires { kernel.task_class(std::int64_t{}, std::int64_t{}); }) {
      cost.task_class = [&kernel](std::int64_t task, std::int64_t alignment) {
        return kernel.task_class(task, alignment);
      };
    }
    if constexpr (requires { kernel.class_period(std::int64_t{}); }) {
      cost.class_period = [&kernel](std::int64_t alignment) {
        return kernel.class_period(alignment);
      };
    }
    return cost;
  }
};

/// Thrown where counts are to be derived and a kernel does not say that its cost is oblivious.
struct DependsOnData : std::runtime_error {
  explicit DependsOnData(std::string_view kernel)
      : std::runtime_error("kernel " + std::string(kernel) +
                           " is not `oblivious`, with a task_class() where tasks differ: its cost "
                           "may depend on data") {}
};

/// Neighbouring tasks: their costs are those of `examples`, first to last, again and again.
struct TaskExamples {
  std::int64_t count = 0;              ///< tasks
  std::vector<std::int64_t> examples;  ///< numbers of the tasks to run
};

/// The tasks of a phase of `tasks` > 0 tasks in which all others repeat; at most `parts` elements
/// of one array share a word. Throws UsageError for a phase of more tasks of several classes than
/// can be looked at one by one.
[[nodiscard]] std::vector<TaskExamples> examples_of(const KernelCost& cost, std::int64_t tasks,
                                                    const AgpuSpec& spec, std::int32_t parts = 1);

}  // namespace agpusim
