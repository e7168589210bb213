#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "agpusim/algorithms/bitonic_sort/kernel.hpp"
#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/model/run/host_program.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::bitonic_sort {

/// The host program: tiles sorted in shared memory, then merges that work in global memory while
/// the distance is at least a tile, and in shared memory for the rest.
template <class Device, class Key>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        n_(config.n),
        tile_(static_cast<std::int32_t>(config.parameters.at("tile"))),
        per_task_(static_cast<std::int32_t>(
            std::min<std::int64_t>(config.parameters.at("rows") * config.spec.width, tile_))),
        keys_(device.template allocate<Key>(config.n, "keys")) {
    device_.template upload<Key>(
        keys_, [&] { return generate<Key>(config.input, config.n, config.seed); });
  }

  void run() {
    const std::int64_t tiles = (n_ + tile_ - 1) / tile_;
    device_.launch(tiles, TileSort<Key>{n_, tile_}, keys_);
    for (std::int64_t half = tile_; half < n_; half *= 2) {
      global_stage(half, true);
      for (std::int64_t stride = half / 2; stride >= tile_; stride /= 2)
        global_stage(stride, false);
      device_.launch(tiles, TileMerge<Key>{n_, tile_}, keys_);
    }
  }
  std::uint64_t checksum() { return agpusim::checksum<Key>(device_.download(keys_)); }

 private:
  void global_stage(std::int64_t half, bool flip) {
    const std::int64_t count = comparators(n_, half);
    device_.launch((count + per_task_ - 1) / per_task_, GlobalStage{n_, half, per_task_, flip},
                   keys_);
  }

  Device& device_;
  std::int64_t n_;
  std::int32_t tile_;      // S, keys
  std::int32_t per_task_;  // comparators of a task in a global stage
  typename Device::template Array<Key> keys_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_element_type(
      config.type, [&]<class T>(T) { return host_program<Program<Device, T>>(device, config); });
}

}  // namespace agpusim::bitonic_sort
