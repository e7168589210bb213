#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/merge_sort/count_cuts.hpp"
#include "agpusim/algorithms/merge_sort/kernel.hpp"
#include "agpusim/algorithms/merge_sort/key_load.hpp"
#include "agpusim/algorithms/merge_sort/pivots_kernel.hpp"
#include "agpusim/algorithms/merge_sort/pivots_shape.hpp"
#include "agpusim/algorithms/merge_sort/shape.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::multiway_merge_sort {

/// The host program of the paper (seed 001, 4.4 to 4.6). First half: base runs are sorted and
/// rounds of d-way merges leave few runs. These are cut at the pivots of all runs; in the second
/// half rounds of d-way merges make one run of each region.
template <class Device, class Key, std::int32_t rows>
class PivotsProgram {
 public:
  PivotsProgram(Device& device, const RunConfig& config)
      : device_(device),
        shape_(shape_of(config)),
        width_(config.spec.width),
        multiprocessors_(config.spec.multiprocessors()),
        distribution_(distribution_of(config)),
        keys_(device.template allocate<Key>(config.n, "keys")),
        other_(device.template allocate<Key>(config.n, "other_keys")),
        pivots_(device.template allocate<Key>(pivots(), "pivots")),
        other_pivots_(device.template allocate<Key>(pivots(), "other_pivots")),
        cuts_(device.template allocate<std::int32_t>(rows_of_regions(0), "cuts")),
        offsets_(device.template allocate<std::int32_t>(rows_of_regions(1), "offsets")) {
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
    for (std::int64_t run = shape_.tile; runs_of(shape_, run) > shape_.runs;) {
      const Groups groups{shape_.n, static_cast<std::int32_t>(run), levels_of_round(shape_, run)};
      const Array<Key>& in = flip(keys_, other_, result_);
      device_.launch(groups.count(), MergeGroups<Key, rows>{groups, width_}, in, *result_);
      run = groups.size();
    }
    if (!distribution_) return;
    distribute();
    second_half();
  }
  std::uint64_t checksum() { return agpusim::checksum<Key>(device_.download(*result_)); }
  /// The load of the multiprocessors in keys, where runs are cut.
  std::vector<NamedValue> values() {
    if (!distribution_) return {};
    const std::vector<std::int32_t> offsets = device_.download(offsets_);
    const auto last = static_cast<std::size_t>(rows_of_regions(0));
    std::vector<std::int64_t> regions(static_cast<std::size_t>(distribution_->regions()));
    for (std::size_t j = 0; j < regions.size(); ++j) regions[j] = offsets[last + j] - offsets[j];
    return lemma_of_next_fit(*distribution_, regions, multiprocessors_);
  }

 private:
  template <class T>
  using Array = typename Device::template Array<T>;

  /// Makes the other one of two arrays the current one; returns the one that was.
  template <class T>
  static const Array<T>& flip(const Array<T>& a, const Array<T>& b, const Array<T>*& current) {
    const Array<T>& before = *current;
    current = current == &a ? &b : &a;
    return before;
  }

  [[nodiscard]] std::int64_t pivots() const {
    return distribution_ ? std::int64_t{distribution_->runs} * distribution_->list : 0;
  }
  /// Elements of a row per run and `more` rows.
  [[nodiscard]] std::int64_t rows_of_regions(std::int64_t more) const {
    return distribution_ ? (distribution_->runs + more) * distribution_->stride : 0;
  }

  void distribute() {
    const SamplePivots<Key> sample{*distribution_};
    device_.launch(sample.tasks(width_), sample, *result_, pivots_);
    const Array<Key>* merged = &pivots_;
    Shape lists;
    lists.n = pivots();
    lists.levels = shape_.levels;
    for (std::int64_t run = distribution_->list; run < lists.n;) {
      const Groups groups{lists.n, static_cast<std::int32_t>(run), levels_of_round(lists, run)};
      const Array<Key>& in = flip(pivots_, other_pivots_, merged);
      device_.launch(groups.count(), MergeGroups<Key, rows>{groups, width_}, in, *merged);
      run = groups.size();
    }
    device_.launch(distribution_->runs, CountCuts<Key, rows>{*distribution_, width_}, *result_,
                   *merged, cuts_);
    const OffsetsOfPieces offsets{*distribution_};
    device_.launch(offsets.tasks(width_), offsets, cuts_, offsets_);
  }

  void second_half() {
    Shape pieces;
    pieces.n = distribution_->runs;
    pieces.levels = shape_.levels;
    for (std::int32_t span = 1; span < pieces.n;) {
      const std::int32_t levels = levels_of_round(pieces, span);
      const MergePieces<Key, rows> merge{*distribution_, span, levels, width_};
      const Array<Key>& in = flip(keys_, other_, result_);
      device_.launch(merge.tasks(), merge, in, cuts_, offsets_, *result_);
      span <<= levels;
    }
  }

  Device& device_;
  Shape shape_;
  std::int32_t width_;  // V
  std::int64_t multiprocessors_;
  std::optional<Distribution> distribution_;
  Array<Key> keys_;
  Array<Key> other_;
  Array<Key> pivots_;
  Array<Key> other_pivots_;
  Array<std::int32_t> cuts_;
  Array<std::int32_t> offsets_;
  const Array<Key>* result_ = &keys_;
};

}  // namespace agpusim::multiway_merge_sort
