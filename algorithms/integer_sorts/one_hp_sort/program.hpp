#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "agpusim/algorithms/integer_sorts/histogram/program.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"
#include "agpusim/algorithms/integer_sorts/one_hp_sort/kernel.hpp"
#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim::one_hp_sort {

/// The 1-H-P sort of distinct keys: histogram, prefix sums, and every value to the place that the
/// prefix sums say (Kozakai 2022, algorithm 3; theory 3.4).
template <class Device>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        keys_(bins_of(config)),
        how_(segmentation(config)),
        by_keys_(config.variant == "by_keys"),
        x_(device.template allocate<std::int32_t>(keys_.keys, "x")),
        a_(device.template allocate<std::int32_t>(keys_.range, "A")),
        ap_(device.template allocate<std::int32_t>(keys_.range, "Ap")),
        y_(device.template allocate<std::int32_t>(keys_.keys, "y")),
        repeated_(device.template allocate<std::int32_t>(1, "repeated")),
        count_keys_(device, keys_, histogram::place_of(config.variant), how_),
        scan_(device, Cut(keys_.range, how_),
              static_cast<std::int32_t>(config.parameters.at("per_lane"))) {
    device_.template upload<std::int32_t>(x_, [&] { return generate_keys(config); });
    device_.template upload<std::int32_t>(repeated_, std::vector<std::int32_t>{nothing});
  }

  void run() {
    if (keys_.keys == 0) return;
    const Cut values(keys_.range, how_);
    count_keys_(x_, a_);
    scan_(a_, ap_, scan::Kind::inclusive, 0);
    if (by_keys_) {
      const Cut keys(keys_.keys, how_);
      device_.launch(keys.host().tasks, PlaceKeys{keys, keys_.min_key}, x_, ap_, y_);
    } else {
      device_.launch(values.host().tasks, PlaceRunHeads<true>{values, keys_.min_key}, ap_, y_,
                     repeated_);
    }
  }

  /// Throws UsageError that names a key that occurs more than once.
  std::uint64_t checksum() {
    const std::int32_t repeated = device_.download(repeated_).front();
    if (repeated != nothing) {
      throw UsageError(fmt::format(
          "one_hp_sort sorts distinct keys, but key {} occurs more than once (it is the smallest "
          "such key); use hp_sort",
          keys_.min_key + repeated));
    }
    return agpusim::checksum<std::int32_t>(device_.download(y_));
  }

 private:
  using Array = typename Device::template Array<std::int32_t>;
  /// No key is repeated; v = key - min stays below it.
  static constexpr std::int32_t nothing = std::numeric_limits<std::int32_t>::max();

  Device& device_;
  histogram::Bins keys_;
  Segmentation how_;
  bool by_keys_;  // the tail reads keys, not prefix sums
  Array x_;
  Array a_;
  Array ap_;
  Array y_;
  Array repeated_;
  histogram::Histogram<Device> count_keys_;
  scan::Scan<Device, operators::Sum<std::int32_t>> scan_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return host_program<Program<Device>>(device, config);
}

}  // namespace agpusim::one_hp_sort
