#pragma once

#include <cstdint>
#include <utility>

#include "agpusim/algorithms/fused_bitonic_sort/task_keys.hpp"
#include "agpusim/algorithms/fused_bitonic_sort/tile_network.hpp"

// Batcher's network, all comparators pointing one way, with as many strides as possible between a
// read of the keys in global memory and the next write. Keys beyond n count as the largest; they
// never move to a place before n.
namespace agpusim::fused_bitonic_sort {

/// A task of 2^bits neighbouring keys, which it works on in shared memory.
template <std::int32_t q, class Mp, class View>
class TileTask {
 public:
  using Key = typename View::value_type;
  using Tile = decltype(std::declval<Mp&>().template shared<Key>(0, "tile"));
  using Network = TileNetwork<q, Mp, Tile>;

  AGPUSIM_FN TileTask(Mp& mp, const View& view, std::int64_t n, std::int32_t bits)
      : mp_(mp),
        network_(mp, mp.template shared<Key>(std::int32_t{1} << bits, "tile"), bits),
        keys_(task_keys(mp, view, n, bits)),
        steps_(make_steps<q>([&](std::int32_t j) { return j << network_.top(); })) {}

  [[nodiscard]] AGPUSIM_FN const Network& network() const { return network_; }

  /// Reads groups whose registers hold neighbouring keys each, calls `strides` with them and puts
  /// them into the tile in layout p.
  template <class Strides>
  AGPUSIM_FN void load(std::int32_t p, Strides strides) const {
    const auto layout = network_.layout(p);
    network_.for_groups([&](const auto& group) {
      auto keys = keys_.read({group, group, 0, steps_});
      strides(keys);
      network_.write(group, layout, keys);
    });
  }
  AGPUSIM_FN void store() const {
    const auto layout = network_.layout(network_.top());
    mp_.sync();
    network_.for_groups([&](const auto& group) {
      keys_.write({group, group, 0, steps_}, network_.read(group, layout));
    });
  }

 private:
  using Keys = TaskKeys<q, Mp, View>;

  AGPUSIM_FN static Keys task_keys(Mp& mp, const View& view, std::int64_t n, std::int32_t bits) {
    const std::int64_t first = mp.task() << bits;
    const auto size = std::int32_t{1} << bits;
    const bool all = n - first >= size;
    return {mp, view.from(first), all ? size : static_cast<std::int32_t>(n - first), all};
  }

  Mp& mp_;
  Network network_;
  Keys keys_;
  Steps<q> steps_;
};

/// A kernel whose tasks each work on a tile.
template <class Key, std::int32_t registers>
struct TileKernel {
  std::int64_t n;          ///< keys
  std::int32_t tile_bits;  ///< lg of the keys of a tile

  [[nodiscard]] std::int64_t shared_bytes() const { return std::int64_t{sizeof(Key)} << tile_bits; }

  template <class Mp, class View>
  [[nodiscard]] AGPUSIM_FN TileTask<log2_of(registers), Mp, View> task(Mp& mp,
                                                                       const View& view) const {
    return {mp, view, n, tile_bits};
  }
};

/// Sorts every tile by itself.
template <class Key, std::int32_t registers>
struct TileSort : TileKernel<Key, registers> {
  static constexpr const char* name = "tile_sort";
  static constexpr bool oblivious = true;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View view) const {
    const auto task = this->task(mp, view);
    // Which keys make up a group does not matter before they are sorted.
    task.load(0, [](auto& keys) { sort_registers<log2_of(registers)>(keys); });
    task.network().sort();
    task.store();
  }
};

/// Finishes a merge inside every tile: all strides below the tile's size.
template <class Key, std::int32_t registers>
struct TileMerge : TileKernel<Key, registers> {
  static constexpr const char* name = "tile_merge";
  static constexpr bool oblivious = true;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View view) const {
    const auto task = this->task(mp, view);
    const std::int32_t top = task.network().top();
    task.load(top,
              [](auto& keys) { halve_registers<log2_of(registers)>(keys, log2_of(registers)); });
    task.network().halve(top, 0);
    task.store();
  }
};

}  // namespace agpusim::fused_bitonic_sort
