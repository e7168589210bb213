#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/common/segment_parameters.hpp"
#include "agpusim/algorithms/own_program.hpp"
#include "agpusim/algorithms/reduce/kernel.hpp"

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

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_operator(config, [&]<class Operator, bool ordered>() {
    return own_program<Device, typename Operator::value_type>(device, config, [&](auto& run) {
      auto from = run.input("in");
      for (const Cut& step : steps(config)) {
        const auto to = run.array(step.host().tasks, "partial");
        if constexpr (ordered) {
          const auto per_lane = static_cast<std::int32_t>(run.parameter("per_lane"));
          run.launch(step.host().tasks, OrderedSegmentReduce<Operator>{step, run.width(), per_lane},
                     from, to);
        } else {
          run.launch(step.host().tasks, SegmentReduce<Operator>{step, run.width()}, from, to);
        }
        from = to;
      }
      run.result(from);
    });
  });
}

}  // namespace agpusim::reduce
