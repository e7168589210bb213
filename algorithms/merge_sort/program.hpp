#pragma once

#include <algorithm>
#include <cstdint>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/merge_sort/double_heap.hpp"
#include "agpusim/algorithms/merge_sort/kernel.hpp"
#include "agpusim/algorithms/merge_sort/select_cuts.hpp"
#include "agpusim/algorithms/merge_sort/shape.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::multiway_merge_sort {

/// The host program: base runs are sorted, then rounds of d-way merges. Groups larger than a region
/// are cut into regions first, so that every round has tasks enough.
template <class Device, class Key, std::int32_t rows>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        shape_(shape_of(config)),
        width_(config.spec.width),
        keys_(device.template allocate<Key>(config.n, "keys")),
        other_(device.template allocate<Key>(config.n, "other_keys")),
        cuts_(device.template allocate<std::int32_t>(most_cuts(), "cuts")) {
    device_.template upload<Key>(
        keys_, [&] { return generate<Key>(config.input, config.n, config.seed); });
  }

  void run() {
    const std::int64_t task = shape_.registers * std::int64_t{width_};
    with_registers(shape_.registers, [&](auto registers) {
      device_.launch((shape_.n + task - 1) / task,
                     SortRuns<Key, registers>{shape_.n, shape_.tile, width_}, keys_, other_);
    });
    result_ = &other_;
    for (std::int64_t run = shape_.tile; run < shape_.n;) {
      const Groups groups{shape_.n, static_cast<std::int32_t>(run), levels_of_round(shape_, run)};
      merge(groups);
      run = groups.size();
    }
  }
  std::uint64_t checksum() { return agpusim::checksum<Key>(device_.download(*result_)); }

 private:
  using Array = typename Device::template Array<Key>;

  void merge(const Groups& groups) {
    const Array& in = *result_;
    result_ = result_ == &keys_ ? &other_ : &keys_;
    if (shape_.double_buffers) {
      device_.launch(groups.count(), MergeGroupsDouble<Key, rows>{groups, width_}, in, *result_);
      return;
    }
    const Regions regions{groups, shape_.region};
    if (shape_.region == 0 || regions.borders() == 0) {
      device_.launch(groups.count(), MergeGroups<Key, rows>{groups, width_}, in, *result_);
      return;
    }
    const SelectCuts<Key> select{regions, width_};
    device_.launch((regions.borders() + select.per_task() - 1) / select.per_task(), select, in,
                   cuts_);
    device_.launch(regions.count(), MergeRegions<Key, rows>{regions, width_}, in, cuts_, *result_);
  }

  /// Elements of the largest array of cuts.
  [[nodiscard]] std::int64_t most_cuts() const {
    if (shape_.region == 0) return 0;
    std::int64_t most = 0;
    for (std::int64_t run = shape_.tile; run < shape_.n;) {
      const Groups groups{shape_.n, static_cast<std::int32_t>(run), levels_of_round(shape_, run)};
      most = std::max(most, Regions{groups, shape_.region}.borders() << groups.levels);
      run = groups.size();
    }
    return most;
  }

  Device& device_;
  Shape shape_;
  std::int32_t width_;  // V
  Array keys_;
  Array other_;
  typename Device::template Array<std::int32_t> cuts_;
  Array* result_ = &keys_;
};

}  // namespace agpusim::multiway_merge_sort
