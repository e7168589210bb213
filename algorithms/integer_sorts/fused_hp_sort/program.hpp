#pragma once

#include <cstdint>
#include <memory>

#include "agpusim/algorithms/integer_sorts/fused_hp_sort/kernel.hpp"
#include "agpusim/algorithms/integer_sorts/histogram/program.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"
#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim::fused_hp_sort {

/// The H-P sort with its second half in one phase: the histogram of the keys, its prefix sums, and
/// the runs that they end, written at once.
template <class Device>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        keys_(bins_of(config)),
        how_(segmentation(config)),
        x_(device.template allocate<std::int32_t>(keys_.keys, "x")),
        a_(device.template allocate<std::int32_t>(keys_.range, "A")),
        ap_(device.template allocate<std::int32_t>(keys_.range, "Ap")),
        y_(device.template allocate<std::int32_t>(keys_.keys, "y")),
        count_keys_(device, keys_, histogram::place_of(config.variant), how_),
        scan_(device, Cut(keys_.range, how_),
              static_cast<std::int32_t>(config.parameters.at("per_lane"))) {
    device_.template upload<std::int32_t>(x_, [&] { return generate_keys(config); });
  }

  void run() {
    if (keys_.keys == 0) return;
    const Cut places(keys_.keys, how_);
    count_keys_(x_, a_);
    scan_(a_, ap_, scan::Kind::inclusive, 0);
    device_.launch(places.host().tasks, FillRuns{places, keys_.min_key, keys_.range}, ap_, y_);
  }
  std::uint64_t checksum() { return agpusim::checksum<std::int32_t>(device_.download(y_)); }

 private:
  using Array = typename Device::template Array<std::int32_t>;

  Device& device_;
  histogram::Bins keys_;
  Segmentation how_;
  Array x_;
  Array a_;
  Array ap_;
  Array y_;
  histogram::Histogram<Device> count_keys_;
  scan::Scan<Device, operators::Sum<std::int32_t>> scan_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return host_program<Program<Device>>(device, config);
}

}  // namespace agpusim::fused_hp_sort
