#pragma once

#include <cstdint>
#include <memory>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/fused_bitonic_sort/kernel.hpp"
#include "agpusim/algorithms/fused_bitonic_sort/passes.hpp"
#include "agpusim/algorithms/fused_bitonic_sort/shape.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim::fused_bitonic_sort {

/// The host program: tiles sorted in shared memory, then merges, whose strides of at least a tile
/// are spread evenly over as few passes as possible.
template <class Device, class Key, std::int32_t registers>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        shape_(shape_of(config)),
        keys_(device.template allocate<Key>(config.n, "keys")) {
    device_.template upload<Key>(
        keys_, [&] { return generate<Key>(config.input, config.n, config.seed); });
  }

  void run() {
    const std::int32_t tile = shape_.tile_bits;
    device_.launch(blocks(shape_.n, tile), TileSort<Key, registers>{shape_.n, tile}, keys_);
    for (std::int32_t size = tile + 1; std::int64_t{1} << (size - 1) < shape_.n; ++size) {
      const std::int64_t n = merged_keys(size);
      std::int32_t high = size;
      for (std::int32_t passes = (size - tile + shape_.strides - 1) / shape_.strides; passes > 0;
           --passes) {
        const std::int32_t strides = (high - tile + passes - 1) / passes;
        global_pass(n, high, strides, high == size);
        high -= strides;
      }
      device_.launch(blocks(n, tile), TileMerge<Key, registers>{n, tile}, keys_);
    }
  }
  std::uint64_t checksum() { return agpusim::checksum<Key>(device_.download(keys_)); }

 private:
  /// Blocks of 2^bits keys.
  static std::int64_t blocks(std::int64_t keys, std::int32_t bits) {
    return ((keys - 1) >> bits) + 1;
  }

  /// Keys up to the end of the last block of 2^size keys that has a second half to merge.
  [[nodiscard]] std::int64_t merged_keys(std::int32_t size) const {
    const std::int64_t block = std::int64_t{1} << size;
    const std::int64_t rest = shape_.n % block;
    return rest <= block / 2 ? shape_.n - rest : shape_.n;
  }

  void global_pass(std::int64_t n, std::int32_t high, std::int32_t strides, bool flip) {
    if (strides <= lg(registers)) {
      const GlobalStrides pass{n, shape_.task_bits, high, strides, flip};
      device_.launch(tasks(pass), RegisterPass<Key, registers>{pass}, keys_);
    } else {
      const GlobalStrides pass{n, shape_.tile_bits, high, strides, flip};
      device_.launch(tasks(pass), TilePass<Key, registers>{pass}, keys_);
    }
  }

  /// All of the whole blocks, and of the last those whose window in the first row begins before n.
  static std::int64_t tasks(const GlobalStrides& pass) {
    const std::int64_t whole = pass.n >> pass.high;
    const std::int64_t rest = pass.n - (whole << pass.high);
    const std::int64_t row = std::int64_t{1} << pass.row_bits();
    return (whole << (pass.high - pass.task_bits)) +
           blocks(rest < row ? rest : row, pass.window_bits());
  }

  Device& device_;
  Shape shape_;
  typename Device::template Array<Key> keys_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_element_type(config.type, [&]<class Key>(Key) {
    return with_registers<Key>(shape_of(config).registers, [&](auto registers) {
      return host_program<Program<Device, Key, registers>>(device, config);
    });
  });
}

}  // namespace agpusim::fused_bitonic_sort
