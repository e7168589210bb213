#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/common/segment_parameters.hpp"
#include "agpusim/algorithms/own_program.hpp"
#include "agpusim/algorithms/statistics/kernel.hpp"
#include "agpusim/algorithms/statistics/policies.hpp"
#include "agpusim/algorithms/statistics/record.hpp"

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

/// Launches the phases, `serial`: one lane does it all, and returns a function that returns what
/// they found.
template <class Moments, bool serial, class Device, class T>
[[nodiscard]] auto summarise(OwnRun<Device, T>& run, const RunConfig& config) {
  using Word = word_t<T>;
  constexpr std::int32_t fields = Extremes<T>::fields + Moments::fields;
  const auto in = run.input("in");
  const std::vector<Cut> cuts = steps(config);
  const auto records_of = [&](std::int64_t tasks) {
    return run.template array<Word>(tasks * fields, "records");
  };
  auto records = records_of(serial ? 1 : cuts[0].host().tasks);
  if constexpr (serial) {
    run.launch(1, SummariseByOneLane<T, Moments>{static_cast<std::int32_t>(config.n)}, in, records);
  } else {
    run.launch(cuts[0].host().tasks, SummariseSegments<T, Moments>{cuts[0], run.width()}, in,
               records);
    for (std::size_t s = 1; s < cuts.size(); ++s) {
      const auto merged = records_of(cuts[s].host().tasks);
      run.launch(cuts[s].host().tasks, MergeRecords<T, Moments>{cuts[s], run.width()}, records,
                 merged);
      records = merged;
    }
  }
  return [&run, records] {
    const std::vector<Word> record = run.download(records);
    Summary<T> result = summary_of_extremes<T>(record.data(), run.n());
    set_moments(result, record.data() + Extremes<T>::fields, Moments{});
    return result;
  };
}

/// The program of a run on `device`, whose result equals expected_checksum<T, Moments>(config) if
/// and only if it is right.
template <class T, class Moments, bool serial, class Device>
[[nodiscard]] std::unique_ptr<HostProgram> program_for(Device& device, const RunConfig& config) {
  return own_program<Device, T>(device, config, [&](OwnRun<Device, T>& run) {
    const auto summary = summarise<Moments, serial>(run, config);
    run.result([config, summary] {
      const Summary<T> exact = expected<T, Moments>(config);
      return summary_checksum(summary(), exact,
                              tolerance(exact, addition_shape(config, serial), Moments{}));
    });
    run.values([summary] {
      const Summary<T> found = summary();
      std::vector<NamedValue> result = extreme_values(found);
      if constexpr (Moments::fields > 0) {
        for (NamedValue& value : moment_values(found)) result.push_back(std::move(value));
      }
      return result;
    });
  });
}

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_moments(config, [&]<class T, class Moments, bool serial>() {
    return program_for<T, Moments, serial>(device, config);
  });
}

}  // namespace agpusim::statistics

namespace agpusim::minmax {

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return statistics::without_moments(config, [&]<class T, class Moments, bool serial>() {
    return statistics::program_for<T, Moments, serial>(device, config);
  });
}

}  // namespace agpusim::minmax
