#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "agpusim/algorithms/bitonic_sort/kernel.hpp"
#include "agpusim/algorithms/own_program.hpp"

namespace agpusim::bitonic_sort {

/// The program of a run on `device`: tiles sorted in shared memory, then merges that work in global
/// memory while the distance is at least a tile, and in shared memory for the rest.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return own_program<Device, std::uint32_t, std::uint64_t>(
      device, config, [&]<class Key>(OwnRun<Device, Key>& run) {
        const std::int64_t n = config.n;
        const auto tile = static_cast<std::int32_t>(run.parameter("tile"));
        // comparators of a task in a global stage
        const auto per_task = static_cast<std::int32_t>(
            std::min<std::int64_t>(run.parameter("rows") * config.spec.width, tile));
        const auto keys = run.input("keys");
        run.launch(run.tasks_of(tile), TileSort<Key>{n, tile}, keys);
        const auto global_stage = [&](std::int64_t half, bool flip) {
          const std::int64_t count = comparators(n, half);
          run.launch((count + per_task - 1) / per_task, GlobalStage{n, half, per_task, flip}, keys);
        };
        for (std::int64_t half = tile; half < n; half *= 2) {
          global_stage(half, true);
          for (std::int64_t stride = half / 2; stride >= tile; stride /= 2)
            global_stage(stride, false);
          run.launch(run.tasks_of(tile), TileMerge<Key>{n, tile}, keys);
        }
        run.result(keys);
      });
}

}  // namespace agpusim::bitonic_sort
