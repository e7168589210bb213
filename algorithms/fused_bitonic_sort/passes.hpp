#pragma once

#include <cstdint>

#include "agpusim/algorithms/fused_bitonic_sort/windows.hpp"

namespace agpusim::fused_bitonic_sort {

/// Up to lg registers strides of a merge. A task has V·registers keys, whose lanes need no others.
template <class Key, std::int32_t registers>
struct RegisterPass {
  static constexpr const char* name = "register_pass";
  static constexpr bool oblivious = true;

  GlobalStrides pass;

  [[nodiscard]] std::uint64_t task_class(std::int64_t task, std::int64_t) const {
    return pass.task_class(task);
  }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View view) const {
    constexpr std::int32_t q = log2_of(registers);
    const Windows<q, Mp, View> windows(mp, view, pass);
    const auto places = windows.top_places(mp.lane(), windows.top_steps());
    auto keys = windows.keys().read(places);
    if (pass.flip) {
      merge_registers<q>(keys, q - pass.strides);
    } else {
      halve_registers<q>(keys, q, q - pass.strides);
    }
    windows.keys().write(places, keys);
  }
};

/// More than lg registers strides of a merge, by a task of a tile in shared memory.
template <class Key, std::int32_t registers>
struct TilePass {
  static constexpr const char* name = "tile_pass";
  static constexpr bool oblivious = true;

  GlobalStrides pass;

  [[nodiscard]] std::int64_t shared_bytes() const {
    return std::int64_t{sizeof(Key)} << pass.task_bits;
  }
  [[nodiscard]] std::uint64_t task_class(std::int64_t task, std::int64_t) const {
    return pass.task_class(task);
  }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View view) const {
    constexpr std::int32_t q = log2_of(registers);
    const auto tile = mp.template shared<Key>(std::int32_t{1} << pass.task_bits, "tile");
    const TileNetwork<q, Mp, decltype(tile)> network(mp, tile, pass.task_bits);
    const Windows<q, Mp, View> windows(mp, view, pass);
    load(network, windows);
    const std::int32_t last = pass.window_bits();
    std::int32_t p = network.top();
    for (; p - q > last; p -= q) {
      network.sweep(network.layout(p - q), [](auto& keys) { halve_registers<q>(keys, q); });
    }
    const auto layout = network.layout(last);
    const auto steps = windows.row_steps();
    mp.sync();
    network.for_groups([&](const auto& group) {
      auto keys = network.read(group, layout);
      halve_registers<q>(keys, p - last);
      windows.keys().write(windows.row_places(group, steps), keys);
    });
  }

 private:
  /// The first strides, from global memory into the tile.
  template <class Network, class TaskWindows>
  AGPUSIM_FN void load(const Network& network, const TaskWindows& windows) const {
    constexpr std::int32_t q = log2_of(registers);
    const std::int32_t top = network.top();
    const auto layout = pass.flip ? network.mirrored(top) : network.layout(top);
    const auto steps = windows.top_steps();
    network.for_groups([&](const auto& group) {
      auto keys = windows.keys().read(windows.top_places(pass.place(group), steps));
      if (pass.flip) {
        merge_registers<q>(keys, 0);
      } else {
        halve_registers<q>(keys, q);
      }
      network.write(group, layout, keys);
    });
  }
};

}  // namespace agpusim::fused_bitonic_sort
