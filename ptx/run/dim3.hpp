#pragma once

#include <cstdint>

namespace agpusim::ptx {

/// dim3 of CUDA: CTAs of a grid, or threads of a block.
struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  friend bool operator==(const Dim3&, const Dim3&) = default;
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

}  // namespace agpusim::ptx
