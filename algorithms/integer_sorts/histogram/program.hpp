#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/fill.hpp"
#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/algorithms/common/segment_parameters.hpp"
#include "agpusim/algorithms/integer_sorts/histogram/kernel.hpp"
#include "agpusim/model/run/host_program.hpp"

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

/// The phases of a histogram of 32-bit keys.
template <class Device>
class Histogram {
 public:
  using Array = typename Device::template Array<std::int32_t>;

  Histogram(Device& device, const Bins& bins, Place place, const Segmentation& how)
      : device_(device),
        shape_(bins),
        place_(place),
        keys_(bins.keys, how),
        bins_(bins.range, how),
        tables_(device.template allocate<std::int32_t>(
            place == Place::sorted ? keys_.host().tasks * bins.range : 0, "tables")) {}

  /// Fills `bins` (range elements). Nothing is launched where there is nothing to read or write.
  void operator()(const Array& keys, const Array& bins) {
    if (shape_.range == 0) return;
    if (place_ == Place::sorted) {
      device_.launch(keys_.host().tasks, SortedTables{keys_, shape_.min_key, shape_.range}, keys,
                     tables_);
      device_.launch(bins_.host().tasks, AddTables{bins_, keys_.host().tasks}, tables_, bins);
      return;
    }
    device_.launch(bins_.host().tasks, Fill<std::int32_t>{bins_, 0}, bins);
    if (shape_.keys == 0) return;
    if (place_ == Place::shared) {
      device_.launch(keys_.host().tasks, SharedBins{keys_, shape_.min_key, shape_.range}, keys,
                     bins);
    } else {
      device_.launch(keys_.host().tasks, GlobalBins{keys_, shape_.min_key}, keys, bins);
    }
  }

 private:
  Device& device_;
  Bins shape_;
  Place place_;
  Cut keys_;
  Cut bins_;
  Array tables_;
};

/// The host program of the algorithm `histogram`.
template <class Device>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        shape_(key_shape(config)),
        keys_(device.template allocate<std::int32_t>(shape_.n, "keys")),
        bins_(device.template allocate<std::int32_t>(shape_.range, "bins")),
        histogram_(device,
                   {shape_.n, static_cast<std::int32_t>(shape_.min),
                    static_cast<std::int32_t>(shape_.range)},
                   place_of(config.variant), segmentation(config)) {
    device_.template upload<std::int32_t>(keys_, [&] { return generate_keys(config); });
  }

  void run() { histogram_(keys_, bins_); }
  std::uint64_t checksum() { return agpusim::checksum<std::int32_t>(device_.download(bins_)); }

 private:
  using Array = typename Device::template Array<std::int32_t>;

  Device& device_;
  KeyShape shape_;
  Array keys_;
  Array bins_;
  Histogram<Device> histogram_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return host_program<Program<Device>>(device, config);
}

}  // namespace agpusim::histogram
