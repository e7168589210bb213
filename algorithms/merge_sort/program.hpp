#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "agpusim/algorithms/merge_sort/count_cuts.hpp"
#include "agpusim/algorithms/merge_sort/double_heap.hpp"
#include "agpusim/algorithms/merge_sort/kernel.hpp"
#include "agpusim/algorithms/merge_sort/key_load.hpp"
#include "agpusim/algorithms/merge_sort/pivots_kernel.hpp"
#include "agpusim/algorithms/merge_sort/pivots_shape.hpp"
#include "agpusim/algorithms/merge_sort/select_cuts.hpp"
#include "agpusim/algorithms/merge_sort/shape.hpp"
#include "agpusim/algorithms/own_program.hpp"

namespace agpusim::multiway_merge_sort {

/// Sorts the keys in runs of a tile.
template <class Device, class Key, class Keys>
void sort_runs(OwnRun<Device, Key>& run, const Shape& shape, PingPong<Keys>& keys) {
  with_registers(shape.registers, [&](auto registers) {
    run.launch(run.tasks_of(shape.registers * std::int64_t{run.width()}),
               SortRuns<Key, registers>{shape.n, shape.tile, run.width()}, keys.in, keys.out);
  });
  keys.next();
}

/// Calls `f(groups)` for the rounds of merges of runs of `length` keys that leave shape.runs runs.
template <class F>
void for_rounds(const Shape& shape, std::int64_t length, F f) {
  while (runs_of(shape, length) > shape.runs) {
    const Groups groups{shape.n, static_cast<std::int32_t>(length), levels_of_round(shape, length)};
    f(groups);
    length = groups.size();
  }
}

/// Base runs are sorted, then rounds of d-way merges. Groups larger than a region are cut into
/// regions first, so that every round has tasks enough.
template <std::int32_t rows, class Device, class Key>
void sort(OwnRun<Device, Key>& run, const RunConfig& config) {
  const Shape shape = shape_of(config);
  PingPong keys{run.input("keys"), run.array(shape.n, "other_keys")};
  sort_runs(run, shape, keys);
  std::int64_t most_cuts = 0;
  if (shape.region != 0) {
    for_rounds(shape, shape.tile, [&](const Groups& groups) {
      const std::int64_t cuts = Regions{groups, shape.region}.borders() << groups.levels;
      most_cuts = std::max(most_cuts, cuts);
    });
  }
  const auto cuts = run.template array<std::int32_t>(most_cuts, "cuts");
  for_rounds(shape, shape.tile, [&](const Groups& groups) {
    const Regions regions{groups, shape.region};
    if (shape.double_buffers) {
      run.launch(groups.count(), MergeGroupsDouble<Key, rows>{groups, run.width()}, keys.in,
                 keys.out);
    } else if (shape.region == 0 || regions.borders() == 0) {
      run.launch(groups.count(), MergeGroups<Key, rows>{groups, run.width()}, keys.in, keys.out);
    } else {
      const SelectCuts<Key> select{regions, run.width()};
      run.launch((regions.borders() + select.per_task() - 1) / select.per_task(), select, keys.in,
                 cuts);
      run.launch(regions.count(), MergeRegions<Key, rows>{regions, run.width()}, keys.in, cuts,
                 keys.out);
    }
    keys.next();
  });
  run.result(keys.in);
}

/// The program of the paper (seed 001, 4.4 to 4.6). First half: base runs are sorted and rounds of
/// d-way merges leave few runs. These are cut at the pivots of all runs; in the second half rounds
/// of d-way merges make one run of each region.
template <std::int32_t rows, class Device, class Key>
void sort_by_pivots(OwnRun<Device, Key>& run, const RunConfig& config) {
  const Shape shape = shape_of(config);
  const std::int32_t width = run.width();
  PingPong keys{run.input("keys"), run.array(shape.n, "other_keys")};
  sort_runs(run, shape, keys);
  const auto merge = [&](auto& turns) {
    return [&](const Groups& groups) {
      run.launch(groups.count(), MergeGroups<Key, rows>{groups, width}, turns.in, turns.out);
      turns.next();
    };
  };
  for_rounds(shape, shape.tile, merge(keys));
  const std::optional<Distribution> distribution = distribution_of(config);
  if (!distribution) return run.result(keys.in);

  Shape lists;
  lists.n = std::int64_t{distribution->runs} * distribution->list;
  lists.levels = shape.levels;
  const std::int64_t row = distribution->stride;
  PingPong pivots{run.array(lists.n, "pivots"), run.array(lists.n, "other_pivots")};
  const auto cuts = run.template array<std::int32_t>(distribution->runs * row, "cuts");
  const auto offsets = run.template array<std::int32_t>((distribution->runs + 1) * row, "offsets");
  const SamplePivots<Key> sample{*distribution};
  run.launch(sample.tasks(width), sample, keys.in, pivots.in);
  for_rounds(lists, distribution->list, merge(pivots));
  run.launch(distribution->runs, CountCuts<Key, rows>{*distribution, width}, keys.in, pivots.in,
             cuts);
  const OffsetsOfPieces offsets_of_pieces{*distribution};
  run.launch(offsets_of_pieces.tasks(width), offsets_of_pieces, cuts, offsets);

  Shape pieces;
  pieces.n = distribution->runs;
  pieces.levels = shape.levels;
  for_rounds(pieces, 1, [&](const Groups& groups) {
    const MergePieces<Key, rows> merge_pieces{*distribution, groups.run, groups.levels, width};
    run.launch(merge_pieces.tasks(), merge_pieces, keys.in, cuts, offsets, keys.out);
    keys.next();
  });
  run.result(keys.in);
  // The load of the multiprocessors in keys.
  run.values([&run, cut = *distribution, offsets] {
    const std::vector<std::int32_t> ends = run.download(offsets);
    const auto last = static_cast<std::size_t>(cut.runs) * static_cast<std::size_t>(cut.stride);
    std::vector<std::int64_t> regions(static_cast<std::size_t>(cut.regions()));
    for (std::size_t j = 0; j < regions.size(); ++j) regions[j] = ends[last + j] - ends[j];
    return lemma_of_next_fit(cut, regions, run.spec().multiprocessors());
  });
}

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_rows(shape_of(config).rows, [&](auto rows) {
    return own_program<Device, std::uint32_t, std::uint64_t>(device, config, [&](auto& run) {
      config.variant == "pivots" ? sort_by_pivots<rows>(run, config) : sort<rows>(run, config);
    });
  });
}

}  // namespace agpusim::multiway_merge_sort

namespace agpusim::gpu_warpsort {

/// This row is a preset of that one.
using multiway_merge_sort::make_program;

}  // namespace agpusim::gpu_warpsort
