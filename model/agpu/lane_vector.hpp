#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace agpusim {

/// Sixteen 32-bit values, one vector of the host where it has such, else several. Comparisons give
/// -1 or 0 per lane, and `mask ? a : b` chooses per lane.
inline constexpr std::int32_t vector_lanes = 16;
using LaneVector = std::uint32_t __attribute__((vector_size(vector_lanes * sizeof(std::uint32_t))));
using SignedLaneVector =
    std::int32_t __attribute__((vector_size(vector_lanes * sizeof(std::int32_t))));

inline constexpr SignedLaneVector lane_numbers_of_vector = {0, 1, 2,  3,  4,  5,  6,  7,
                                                            8, 9, 10, 11, 12, 13, 14, 15};

/// The 16 values from `from` on.
template <class Vector = LaneVector, class T>
Vector load_lanes(const T* from) {
  static_assert(sizeof(T) == sizeof(std::uint32_t));
  Vector result;
  std::memcpy(&result, from, sizeof(Vector));
  return result;
}
template <class Vector, class T>
void store_lanes(const Vector& lanes, T* to) {
  static_assert(sizeof(T) == sizeof(std::uint32_t));
  std::memcpy(to, &lanes, sizeof(Vector));
}

/// All lanes or'ed.
template <class Vector>
std::uint32_t or_of_lanes(const Vector& lanes) {
  std::uint64_t half[vector_lanes / 2];
  std::memcpy(half, &lanes, sizeof(lanes));
  std::uint64_t all = 0;
  for (const std::uint64_t two : half) all |= two;
  return static_cast<std::uint32_t>(all | all >> 32);
}

/// Whether a lane is not 0.
template <class Vector>
bool any_lane(const Vector& lanes) {
#ifdef __AVX512F__
  __m512i all;
  std::memcpy(&all, &lanes, sizeof(lanes));
  return _mm512_test_epi32_mask(all, all) != 0;
#else
  return or_of_lanes(lanes) != 0;
#endif
}

}  // namespace agpusim
