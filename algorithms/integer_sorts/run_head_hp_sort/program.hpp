#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "agpusim/algorithms/integer_sorts/histogram/program.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"
#include "agpusim/algorithms/integer_sorts/one_hp_sort/kernel.hpp"
#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim::run_head_hp_sort {

/// Sorts with duplicates and one histogram: the first key of every run to its place, as in the
/// 1-H-P sort, then the largest value so far, by a max-scan (theory 3.4).
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
        heads_(device.template allocate<std::int32_t>(keys_.keys, "heads")),
        y_(device.template allocate<std::int32_t>(keys_.keys, "y")),
        count_keys_(device, keys_, histogram::place_of(config.variant), how_),
        scan_values_(device, Cut(keys_.range, how_),
                     static_cast<std::int32_t>(config.parameters.at("per_lane"))),
        scan_heads_(device, Cut(keys_.keys, how_),
                    static_cast<std::int32_t>(config.parameters.at("per_lane"))) {
    device_.template upload<std::int32_t>(x_, [&] { return generate_keys(config); });
  }

  void run() {
    if (keys_.keys == 0) return;
    const Cut values(keys_.range, how_);
    const Cut places(keys_.keys, how_);
    count_keys_(x_, a_);
    scan_values_(a_, ap_, scan::Kind::inclusive, 0);
    device_.launch(places.host().tasks, Fill<std::int32_t>{places, lowest}, heads_);
    device_.launch(values.host().tasks, one_hp_sort::PlaceRunHeads<false>{values, keys_.min_key},
                   ap_, heads_, heads_);
    scan_heads_(heads_, y_, scan::Kind::inclusive, lowest);
  }
  std::uint64_t checksum() { return agpusim::checksum<std::int32_t>(device_.download(y_)); }

 private:
  using Array = typename Device::template Array<std::int32_t>;
  static constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::lowest();

  Device& device_;
  histogram::Bins keys_;
  Segmentation how_;
  Array x_;
  Array a_;
  Array ap_;
  Array heads_;
  Array y_;
  histogram::Histogram<Device> count_keys_;
  scan::Scan<Device, operators::Sum<std::int32_t>> scan_values_;
  scan::Scan<Device, operators::Max<std::int32_t>> scan_heads_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return host_program<Program<Device>>(device, config);
}

}  // namespace agpusim::run_head_hp_sort
