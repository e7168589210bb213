#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/integer_sorts/histogram/program.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"
#include "agpusim/algorithms/integer_sorts/zero_compressed_hp_sort/kernel.hpp"
#include "agpusim/algorithms/integer_sorts/zero_compressed_hp_sort/lemmas.hpp"
#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim::zero_compressed_hp_sort {

/// The cut of the values that occur: at most min(n, R), exactly A01p[R-1].
inline Cut occurring_values(const histogram::Bins& keys, const Segmentation& how) {
  return {std::min<std::int64_t>(keys.keys, keys.range), how, keys.range - 1};
}

/// The 0-compressed H-P sort: only the values that occur pass through the second half, and no
/// second histogram is needed (Kozakai 2022, algorithm 5; theory 3.5).
template <class Device>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        keys_(bins_of(config)),
        how_(segmentation(config)),
        occurring_(occurring_values(keys_, how_)),
        x_(device.template allocate<std::int32_t>(keys_.keys, "x")),
        a_(device.template allocate<std::int32_t>(keys_.range, "A")),
        a01_(device.template allocate<std::int32_t>(keys_.range, "A01")),
        a01p_(device.template allocate<std::int32_t>(keys_.range, "A01p")),
        c_(device.template allocate<std::int32_t>(occurring_.host().n, "C")),
        ic_(device.template allocate<std::int32_t>(occurring_.host().n, "iC")),
        cp_(device.template allocate<std::int32_t>(occurring_.host().n, "Cp")),
        b_(device.template allocate<std::int32_t>(keys_.keys, "B")),
        y_(device.template allocate<std::int32_t>(keys_.keys, "y")),
        count_keys_(device, keys_, histogram::place_of(config.variant), how_),
        scan_values_(device, Cut(keys_.range, how_), per_lane(config)),
        scan_occurring_(device, occurring_, per_lane(config)),
        scan_b_(device, Cut(keys_.keys, how_), per_lane(config)) {
    device_.template upload<std::int32_t>(x_, [&] { return generate_keys(config); });
  }

  void run() {
    if (keys_.keys == 0) return;
    const Cut values(keys_.range, how_);
    const Cut places(keys_.keys, how_);
    count_keys_(x_, a_);
    device_.launch(values.host().tasks, Binarize{values}, a_, a01_);
    scan_values_(a01_, a01p_, scan::Kind::inclusive, 0);
    device_.launch(values.host().tasks, Compress{values, keys_.min_key}, a_, a01p_, c_, ic_);
    scan_occurring_(c_, cp_, scan::Kind::exclusive, 0, a01p_);
    device_.launch(places.host().tasks, Fill<std::int32_t>{places, 0}, b_);
    device_.launch(occurring_.most_tasks(), Expand{occurring_}, cp_, ic_, b_, a01p_);
    scan_b_(b_, y_, scan::Kind::inclusive, 0);
  }
  std::uint64_t checksum() { return agpusim::checksum<std::int32_t>(device_.download(y_)); }
  /// The lemmas of the paper on the arrays of this run.
  std::vector<NamedValue> values() {
    if (keys_.keys == 0) return {};
    return check_lemmas({device_.download(a_), device_.download(a01p_), device_.download(c_),
                         device_.download(ic_), device_.download(cp_), device_.download(b_),
                         keys_.min_key});
  }

 private:
  using Array = typename Device::template Array<std::int32_t>;
  using Sum = scan::Scan<Device, operators::Sum<std::int32_t>>;

  static std::int32_t per_lane(const RunConfig& config) {
    return static_cast<std::int32_t>(config.parameters.at("per_lane"));
  }

  Device& device_;
  histogram::Bins keys_;
  Segmentation how_;
  Cut occurring_;
  Array x_;
  Array a_;
  Array a01_;
  Array a01p_;
  Array c_;
  Array ic_;
  Array cp_;
  Array b_;
  Array y_;
  histogram::Histogram<Device> count_keys_;
  Sum scan_values_;
  Sum scan_occurring_;
  Sum scan_b_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return host_program<Program<Device>>(device, config);
}

}  // namespace agpusim::zero_compressed_hp_sort
