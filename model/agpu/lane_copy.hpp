#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace agpusim {

/// Copies the values of `count` lanes.
template <class T>
inline void copy_lanes(const T* from, T* to, std::int32_t count) {
  constexpr std::int32_t step = 64 / sizeof(T);
  if (count % step != 0) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
    return;
  }
  for (std::int32_t i = 0; i < count; i += step) std::memcpy(to + i, from + i, 64);
}

/// to[i] = from[index[i]] for every i < count, 32-bit values of any type.
void gather_words(const void* from, const std::int32_t* index, std::int32_t count, void* to);

/// to[i] = from[index[i]] for every i < count, values of type T.
template <class T>
inline void gather(const T* from, const std::int32_t* index, std::int32_t count, T* to) {
  if constexpr (sizeof(T) == sizeof(std::int32_t)) {
    gather_words(from, index, count, to);
  } else {
    for (std::int32_t i = 0; i < count; ++i) to[i] = from[index[i]];
  }
}

}  // namespace agpusim
