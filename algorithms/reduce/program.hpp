#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/common/segment_parameters.hpp"
#include "agpusim/algorithms/reduce/kernel.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim::reduce {

using namespace operators;

/// The phases for n elements: each reduces the segments of a cut, until one value is left. Segments
/// of single elements would reduce nothing: one task takes them all.
inline std::vector<Cut> steps(std::int64_t n, const Segmentation& how) {
  std::vector<Cut> result;
  do {
    Cut next(n, how);
    if (next.host().tasks == n) next = Cut(n, {how.width, 1, how.min_rows});
    result.push_back(next);
    n = next.host().tasks;
  } while (n > 1);
  return result;
}

inline std::vector<Cut> steps(const RunConfig& config) {
  return steps(config.n, segmentation(config));
}

[[nodiscard]] inline bool is_ordered(const RunConfig& config) {
  return config.variant == "ordered";
}

/// Calls `f.operator()<Operator, ordered>()` for the operator of a run.
template <class F>
auto with_operator(const RunConfig& config, F f) {
  if (is_ordered(config)) return f.template operator()<ComposeAffine, true>();
  return config.type == "u32" ? f.template operator()<Sum<std::uint32_t>, false>()
                              : f.template operator()<Sum<std::uint64_t>, false>();
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
    for (const Cut& step : steps_) {
      arrays_.push_back(device.template allocate<T>(step.host().tasks, "partial"));
    }
    device_.template upload<T>(arrays_.front(),
                               [&] { return generate<T>(config.input, config.n, config.seed); });
  }

  void run() {
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      const Cut& step = steps_[s];
      if constexpr (ordered) {
        device_.launch(step.host().tasks, OrderedSegmentReduce<Operator>{step, width_, per_lane_},
                       arrays_[s], arrays_[s + 1]);
      } else {
        device_.launch(step.host().tasks, SegmentReduce<Operator>{step, width_}, arrays_[s],
                       arrays_[s + 1]);
      }
    }
  }
  std::uint64_t checksum() { return agpusim::checksum<T>(device_.download(arrays_.back())); }

 private:
  Device& device_;
  std::int32_t width_;
  std::int32_t per_lane_;
  std::vector<Cut> steps_;
  std::vector<typename Device::template Array<T>>
      arrays_;  // the input, then the partials of each step
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_operator(config, [&]<class Operator, bool ordered>() {
    return host_program<Program<Device, Operator, ordered>>(device, config);
  });
}

}  // namespace agpusim::reduce
