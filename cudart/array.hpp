#pragma once

#include <algorithm>

#include "agpusim/cudart/stream.hpp"

namespace agpusim::cudart {

/// cudaArray_t: memory of the device, row after row.
struct Array {
  enum Flag : std::uint32_t { layered = 1, surface = 2, cube = 4, gathered = 8 };
  ChannelFormat format;
  Size3 extent;  ///< elements, as the program gave it: 0 where there is no such direction
  std::uint32_t flags = 0;
  std::size_t element_bytes = 0;
  void* begin = nullptr;
  std::size_t pitch = 0;  ///< bytes from one row to the next

  [[nodiscard]] std::size_t rows() const { return std::max<std::size_t>(extent.y, 1); }
  /// Layers and faces too.
  [[nodiscard]] std::size_t planes() const { return std::max<std::size_t>(extent.z, 1); }
};

/// Throws Failure, invalid_value.
void require_valid(bool holds, const char* reason);
/// Throws Failure for a format that no array has.
[[nodiscard]] std::size_t element_bytes_of(const ChannelFormat& format);
/// What copies the same between addresses, in bytes. Throws Status and Failure.
[[nodiscard]] Copy3 without_arrays(Copy3 what);

}  // namespace agpusim::cudart
