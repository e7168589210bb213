#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "agpusim/algorithms/common/fill.hpp"
#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/algorithms/common/segment_parameters.hpp"
#include "agpusim/algorithms/integer_sorts/histogram/kernel.hpp"
#include "agpusim/algorithms/own_program.hpp"

namespace agpusim::histogram {

/// Where the bins are counted.
enum class Place {
  global,  ///< GlobalBins
  shared,  ///< SharedBins
  sorted,  ///< SortedTables, without atomics
};

[[nodiscard]] inline Place place_of(const std::string& variant) {
  return variant == "shared" ? Place::shared : variant == "sorted" ? Place::sorted : Place::global;
}

/// What a histogram counts: keys min_key <= key < min_key + range.
struct Bins {
  std::int64_t keys = 0;  ///< number of keys
  std::int32_t min_key = 0;
  std::int32_t range = 0;
};

/// Launches a histogram of 32-bit keys into `counts` (range elements). Nothing is launched where
/// there is nothing to read or write.
template <class Run, class Array>
void launch(Run& run, const Bins& shape, Place place, const Segmentation& how, const Array& keys,
            const Array& counts) {
  const Cut of_keys(shape.keys, how);
  const Cut of_bins(shape.range, how);
  const std::int64_t tasks = of_keys.host().tasks;
  const auto tables =
      run.template array<std::int32_t>(place == Place::sorted ? tasks * shape.range : 0, "tables");
  if (shape.range == 0) return;
  if (place == Place::sorted) {
    run.launch(tasks, SortedTables{of_keys, shape.min_key, shape.range}, keys, tables);
    run.launch(of_bins.host().tasks, AddTables{of_bins, tasks}, tables, counts);
    return;
  }
  run.launch(of_bins.host().tasks, Fill<std::int32_t>{of_bins, 0}, counts);
  if (shape.keys == 0) return;
  if (place == Place::shared) {
    run.launch(tasks, SharedBins{of_keys, shape.min_key, shape.range}, keys, counts);
  } else {
    run.launch(tasks, GlobalBins{of_keys, shape.min_key}, keys, counts);
  }
}

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return own_program<Device, std::int32_t>(device, config, [&](auto& run) {
    const KeyShape shape = key_shape(config);
    const auto keys = run.upload(shape.n, "keys", [&] { return generate_keys(config); });
    const auto bins = run.array(shape.range, "bins");
    launch(run,
           {shape.n, static_cast<std::int32_t>(shape.min), static_cast<std::int32_t>(shape.range)},
           place_of(config.variant), segmentation(config), keys, bins);
    run.result(bins);
  });
}

}  // namespace agpusim::histogram
