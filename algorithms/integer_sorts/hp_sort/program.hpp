#pragma once

#include <cstdint>
#include <memory>

#include "agpusim/algorithms/integer_sorts/histogram/program.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"
#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim::hp_sort {

/// The H-P sort: the histogram A of the keys, its prefix sums Ap, their histogram B, and its prefix
/// sums, which are the sorted keys (Kozakai 2022, algorithm 2, with n+1 bins in B: theory 3.3).
template <class Device>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        keys_(bins_of(config)),
        how_(segmentation(config)),
        per_lane_(static_cast<std::int32_t>(config.parameters.at("per_lane"))),
        x_(device.template allocate<std::int32_t>(keys_.keys, "x")),
        a_(device.template allocate<std::int32_t>(keys_.range, "A")),
        ap_(device.template allocate<std::int32_t>(keys_.range, "Ap")),
        b_(device.template allocate<std::int32_t>(keys_.keys + 1, "B")),
        y_(device.template allocate<std::int32_t>(keys_.keys, "y")),
        count_keys_(device, keys_, histogram::place_of(config.variant), how_),
        scan_a_(device, Cut(keys_.range, how_), per_lane_),
        count_prefixes_(device, {keys_.range, 0, static_cast<std::int32_t>(keys_.keys + 1)},
                        histogram::Place::global, how_),
        scan_b_(device, Cut(keys_.keys, how_), per_lane_) {
    device_.template upload<std::int32_t>(x_, [&] { return generate_keys(config); });
  }

  void run() {
    if (keys_.keys == 0) return;
    count_keys_(x_, a_);
    scan_a_(a_, ap_, scan::Kind::inclusive, 0);
    count_prefixes_(ap_, b_);
    scan_b_(b_, y_, scan::Kind::inclusive, keys_.min_key);
  }
  std::uint64_t checksum() { return agpusim::checksum<std::int32_t>(device_.download(y_)); }

 private:
  using Array = typename Device::template Array<std::int32_t>;
  using Sum = scan::Scan<Device, operators::Sum<std::int32_t>>;

  Device& device_;
  histogram::Bins keys_;
  Segmentation how_;
  std::int32_t per_lane_;
  Array x_;
  Array a_;
  Array ap_;
  Array b_;
  Array y_;
  histogram::Histogram<Device> count_keys_;
  Sum scan_a_;
  histogram::Histogram<Device> count_prefixes_;
  Sum scan_b_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return host_program<Program<Device>>(device, config);
}

}  // namespace agpusim::hp_sort
