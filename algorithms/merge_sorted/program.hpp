#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/merge_sorted/kernel.hpp"
#include "agpusim/algorithms/own_program.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::merge_sorted {

/// The keys of a run, of which A, the first half rounded up, and B are sorted.
template <class Key>
std::vector<Key> operands(const RunConfig& config, const Halves& halves) {
  std::vector<Key> keys = generate<Key>(config.input, config.n, config.seed);
  std::sort(keys.begin(), keys.begin() + halves.a);
  std::sort(keys.begin() + halves.a, keys.end());
  return keys;
}

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return own_program<Device, std::uint32_t, std::uint64_t>(
      device, config, [&]<class Key>(OwnRun<Device, Key>& run) {
        const std::int32_t width = run.width();
        const Halves halves{static_cast<std::int32_t>(ceil_div(config.n, 2)),
                            static_cast<std::int32_t>(config.n / 2)};
        const bool by_ranks = run.variant() == "ranks";
        const std::int32_t tile = width * keys_of_lane;
        const auto tiles = static_cast<std::int32_t>(run.tasks_of(tile));
        const auto in = run.upload(config.n, "in", [&] { return operands<Key>(config, halves); });
        const auto cuts = run.template array<std::int32_t>(by_ranks ? 0 : tiles + 1, "cuts");
        const auto out = run.array(config.n, "out");
        if (by_ranks) {
          const auto of_a = static_cast<std::int32_t>(ceil_div(halves.a, width));
          run.launch(of_a + ceil_div(halves.b, width), MergeByRanks{halves, of_a}, in, out);
        } else {
          run.launch(ceil_div(tiles + 1, width), CutDiagonals{halves, tile, tiles}, in, cuts);
          run.launch(tiles, MergeTiles<Key>{halves, tile}, in, cuts, out);
        }
        run.result(out);
      });
}

}  // namespace agpusim::merge_sorted
