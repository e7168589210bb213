#pragma once

#include <cstdint>
#include <memory>

#include "agpusim/algorithms/fused_bitonic_sort/kernel.hpp"
#include "agpusim/algorithms/fused_bitonic_sort/passes.hpp"
#include "agpusim/algorithms/fused_bitonic_sort/shape.hpp"
#include "agpusim/algorithms/own_program.hpp"

namespace agpusim::fused_bitonic_sort {

/// Blocks of 2^bits keys.
inline std::int64_t blocks(std::int64_t keys, std::int32_t bits) {
  return ((keys - 1) >> bits) + 1;
}

/// All of the whole blocks, and of the last those whose window in the first row begins before n.
inline std::int64_t tasks(const GlobalStrides& pass) {
  const std::int64_t whole = pass.n >> pass.high;
  const std::int64_t rest = pass.n - (whole << pass.high);
  const std::int64_t row = std::int64_t{1} << pass.row_bits();
  return (whole << (pass.high - pass.task_bits)) +
         blocks(rest < row ? rest : row, pass.window_bits());
}

/// Keys up to the end of the last block of 2^size keys that has a second half to merge.
inline std::int64_t merged_keys(std::int64_t n, std::int32_t size) {
  const std::int64_t block = std::int64_t{1} << size;
  const std::int64_t rest = n % block;
  return rest <= block / 2 ? n - rest : n;
}

/// Tiles are sorted in shared memory, then merged; strides of at least a tile are spread evenly
/// over as few passes as possible.
template <std::int32_t registers, class Device, class Key>
void sort(OwnRun<Device, Key>& run, const Shape& shape) {
  const std::int32_t tile = shape.tile_bits;
  const auto keys = run.input("keys");
  run.launch(blocks(shape.n, tile), TileSort<Key, registers>{shape.n, tile}, keys);
  for (std::int32_t size = tile + 1; std::int64_t{1} << (size - 1) < shape.n; ++size) {
    const std::int64_t n = merged_keys(shape.n, size);
    std::int32_t high = size;
    for (std::int32_t passes = (size - tile + shape.strides - 1) / shape.strides; passes > 0;
         --passes) {
      const std::int32_t strides = (high - tile + passes - 1) / passes;
      GlobalStrides pass{n, tile, high, strides, high == size};
      if (strides <= lg(registers)) {
        pass.task_bits = shape.task_bits;
        run.launch(tasks(pass), RegisterPass<Key, registers>{pass}, keys);
      } else {
        run.launch(tasks(pass), TilePass<Key, registers>{pass}, keys);
      }
      high -= strides;
    }
    run.launch(blocks(n, tile), TileMerge<Key, registers>{n, tile}, keys);
  }
  run.result(keys);
}

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return own_program<Device, std::uint32_t, std::uint64_t>(
      device, config, [&]<class Key>(OwnRun<Device, Key>& run) {
        const Shape shape = shape_of(config);
        with_registers<Key>(shape.registers, [&](auto registers) { sort<registers>(run, shape); });
      });
}

}  // namespace agpusim::fused_bitonic_sort
