#pragma once

#include <cstdint>

namespace agpusim {

/// Bytes that an array of `count` elements of type T takes of a task's shared memory, in which
/// every array begins at a multiple of 8 bytes.
template <class T>
[[nodiscard]] constexpr std::int64_t shared_array_bytes(std::int64_t count) {
  return (count * std::int64_t{sizeof(T)} + 7) / 8 * 8;
}

}  // namespace agpusim
