#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "agpusim/algorithms/checksum.hpp"
#include "agpusim/algorithms/inputs.hpp"
#include "agpusim/algorithms/reduce/kernel.hpp"
#include "agpusim/algorithms/reduce/operators.hpp"
#include "agpusim/algorithms/registry.hpp"

namespace agpusim::reduce {

/// One phase of the reduction: `tasks` segments of `per_task` elements.
struct Step {
  std::int64_t n = 0;
  std::int64_t per_task = 0;
  std::int64_t tasks = 0;
};

/// The phases for n elements: at most `max_tasks` tasks, each of at least `min_rows` rows of V
/// elements, until one value is left.
inline std::vector<Step> steps(std::int64_t n, std::int64_t width, std::int64_t max_tasks,
                               std::int64_t min_rows) {
  std::vector<Step> result;
  do {
    const std::int64_t rows = (n + width - 1) / width;
    const std::int64_t tasks = std::clamp<std::int64_t>(rows / min_rows, 1, max_tasks);
    const std::int64_t rows_per_task = (rows + tasks - 1) / tasks;
    result.push_back({n, rows_per_task * width, (rows + rows_per_task - 1) / rows_per_task});
    n = result.back().tasks;
  } while (n > 1);
  return result;
}

inline std::vector<Step> steps(const RunConfig& config) {
  return steps(config.n, config.spec.width, config.parameters.at("tasks"),
               config.parameters.at("rows"));
}

/// The host program, for an operator and a device.
template <class Device, class Operator, bool ordered>
class Program {
 public:
  using T = typename Operator::value_type;

  Program(Device& device, const RunConfig& config)
      : device_(device),
        width_(config.spec.width),
        per_lane_(ordered ? static_cast<std::int32_t>(config.parameters.at("per_lane")) : 1),
        steps_(steps(config)) {
    arrays_.push_back(device.template allocate<T>(config.n, "in"));
    for (const Step& step : steps_) {
      arrays_.push_back(device.template allocate<T>(step.tasks, "partial"));
    }
    device_.template upload<T>(arrays_.front(), generate<T>(config.input, config.n, config.seed));
  }

  void run() {
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      const Step& step = steps_[s];
      if constexpr (ordered) {
        device_.launch(step.tasks,
                       OrderedSegmentReduce<Operator>{step.n, step.per_task, width_, per_lane_},
                       arrays_[s], arrays_[s + 1]);
      } else {
        device_.launch(step.tasks, SegmentReduce<Operator>{step.n, step.per_task, width_},
                       arrays_[s], arrays_[s + 1]);
      }
    }
  }
  std::uint64_t checksum() { return agpusim::checksum<T>(device_.download(arrays_.back())); }

 private:
  Device& device_;
  std::int32_t width_;
  std::int32_t per_lane_;
  std::vector<Step> steps_;
  std::vector<typename Device::template Array<T>>
      arrays_;  // the input, then the partials of each step
};

}  // namespace agpusim::reduce
