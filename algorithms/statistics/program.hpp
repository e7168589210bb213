#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/common/numeric_input.hpp"
#include "agpusim/algorithms/common/segment_parameters.hpp"
#include "agpusim/algorithms/statistics/kernel.hpp"
#include "agpusim/algorithms/statistics/policies.hpp"
#include "agpusim/algorithms/statistics/record.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim::statistics {

/// Records of fewer rows than this are merged by one task.
inline constexpr std::int64_t merge_rows = 64;

/// The phases for n numbers: the segments, then cuts of the records until one is left.
inline std::vector<Cut> steps(const RunConfig& config) {
  const Segmentation how = segmentation(config);
  std::vector<Cut> result = {Cut(config.n, how)};
  while (result.back().host().tasks > 1) {
    const std::int64_t records = result.back().host().tasks;
    result.emplace_back(records, Segmentation{how.width, how.max_tasks, merge_rows});
  }
  return result;
}

/// How a run nests its additions: rows, and the tree over V lanes, of every step.
inline AdditionShape addition_shape(const RunConfig& config, bool serial) {
  if (serial) return {config.n, 1};
  AdditionShape shape;
  const std::vector<Cut> cuts = steps(config);
  for (const Cut& step : cuts) {
    shape.chain += step.host().per_task / config.spec.width + 1 +
                   std::bit_width(static_cast<std::uint32_t>(config.spec.width));
  }
  const std::int64_t longest = std::min(cuts.front().host().per_task, config.n);
  shape.share = static_cast<double>(longest) / static_cast<double>(config.n);
  return shape;
}

/// The host program; `serial`: one lane does it all.
template <class Device, class T, class Moments, bool serial>
class Program {
 public:
  using Word = word_t<T>;
  static constexpr std::int32_t fields = Extremes<T>::fields + Moments::fields;

  Program(Device& device, const RunConfig& config)
      : device_(device),
        config_(config),
        width_(config.spec.width),
        steps_(steps(config)),
        in_(device.template allocate<T>(config.n, "in")) {
    for (const Cut& step : steps_) {
      const std::int64_t records = serial ? 1 : step.host().tasks;
      records_.push_back(device.template allocate<Word>(records * fields, "records"));
      if (serial) break;
    }
    device_.template upload<T>(in_, [&] { return numeric_input<T>(config); });
  }

  void run() {
    if constexpr (serial) {
      device_.launch(1, SummariseByOneLane<T, Moments>{static_cast<std::int32_t>(config_.n)}, in_,
                     records_[0]);
    } else {
      device_.launch(steps_[0].host().tasks, SummariseSegments<T, Moments>{steps_[0], width_}, in_,
                     records_[0]);
      for (std::size_t s = 1; s < steps_.size(); ++s) {
        device_.launch(steps_[s].host().tasks, MergeRecords<T, Moments>{steps_[s], width_},
                       records_[s - 1], records_[s]);
      }
    }
  }

  [[nodiscard]] std::vector<NamedValue> values() {
    const Summary<T> found = summary();
    std::vector<NamedValue> result = extreme_values(found);
    if constexpr (Moments::fields > 0) {
      for (NamedValue& value : moment_values(found)) result.push_back(std::move(value));
    }
    return result;
  }
  [[nodiscard]] Summary<T> summary() {
    const std::vector<Word> record = device_.download(records_.back());
    Summary<T> result = summary_of_extremes<T>(record.data(), config_.n);
    set_moments(result, record.data() + Extremes<T>::fields, Moments{});
    return result;
  }

  /// Equal to expected_checksum<T, Moments>(config) if and only if the result is right.
  std::uint64_t checksum() {
    const Summary<T> exact = expected<T, Moments>(config_);
    return summary_checksum(summary(), exact,
                            tolerance(exact, addition_shape(config_, serial), Moments{}));
  }

 private:
  Device& device_;
  RunConfig config_;
  std::int32_t width_;
  std::vector<Cut> steps_;
  typename Device::template Array<T> in_;
  std::vector<typename Device::template Array<Word>> records_;  // records of each step
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_moments(config, [&]<class T, class Moments, bool serial>() {
    return host_program<Program<Device, T, Moments, serial>>(device, config);
  });
}

}  // namespace agpusim::statistics
