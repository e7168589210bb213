#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace agpusim {

/// 32-bit values that fill one vector register of the host. Comparisons give -1 or 0 per lane, and
/// `mask ? a : b` chooses per lane.
#if defined(__AVX512F__)
inline constexpr std::int32_t vector_lanes = 16;
#elif defined(__AVX2__)
inline constexpr std::int32_t vector_lanes = 8;
#else
inline constexpr std::int32_t vector_lanes = 4;
#endif
using LaneVector = std::uint32_t __attribute__((vector_size(vector_lanes * sizeof(std::uint32_t))));
using SignedLaneVector =
    std::int32_t __attribute__((vector_size(vector_lanes * sizeof(std::int32_t))));

namespace detail {

using LaneNumbers = std::make_integer_sequence<int, vector_lanes>;

template <int... lane>
constexpr SignedLaneVector numbers(std::integer_sequence<int, lane...>) {
  return SignedLaneVector{lane...};
}
template <class Vector, int... lane>
Vector next_lanes(const Vector& lanes, const Vector& next, std::integer_sequence<int, lane...>) {
  return __builtin_shufflevector(lanes, next, (lane + 1)...);
}
template <int distance, class Vector, int... lane>
Vector lanes_apart(const Vector& lanes, std::integer_sequence<int, lane...>) {
  return __builtin_shufflevector(lanes, lanes, (lane ^ distance)...);
}

}  // namespace detail

/// 0, 1, 2, ...
inline constexpr SignedLaneVector lane_numbers_of_vector = detail::numbers(detail::LaneNumbers());

/// The values of one vector from `from` on.
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

/// from[index] for each lane's index, in registers: a vector that is put together in memory waits
/// for all stores before it.
template <class T>
LaneVector gather_lanes(const T* from, const LaneVector& index) {
  static_assert(sizeof(T) == sizeof(std::uint32_t));
  LaneVector result;
#if defined(__AVX512F__)
  __m512i places;
  std::memcpy(&places, &index, sizeof(index));
  // With a mask: without, GCC 12 warns of its own header.
  const __m512i words =
      _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), __mmask16{0xFFFF}, places, from, 4);
  std::memcpy(&result, &words, sizeof(words));
#elif defined(__AVX2__)
  __m256i places;
  std::memcpy(&places, &index, sizeof(index));
  const __m256i words = _mm256_i32gather_epi32(reinterpret_cast<const int*>(from), places, 4);
  std::memcpy(&result, &words, sizeof(words));
#else
  for (std::int32_t i = 0; i < vector_lanes; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, from + static_cast<std::int32_t>(index[i]), sizeof(word));
    result[i] = word;
  }
#endif
  return result;
}
/// from[index] for each lane's index below 32.
template <class T>
LaneVector pick_lanes(const T* from, const LaneVector& index) {
#if defined(__AVX512F__)
  return std::bit_cast<LaneVector>(_mm512_permutex2var_epi32(
      std::bit_cast<__m512i>(load_lanes(from)), std::bit_cast<__m512i>(index),
      std::bit_cast<__m512i>(load_lanes(from + vector_lanes))));
#else
  return gather_lanes(from, index);
#endif
}
/// to[index] = value for each of the first `count` lanes.
template <class T>
void scatter_lanes(const LaneVector& value, T* to, const LaneVector& index,
                   std::int32_t count = vector_lanes) {
  static_assert(sizeof(T) == sizeof(std::uint32_t));
  alignas(64) T values[vector_lanes];
  alignas(64) std::int32_t places[vector_lanes];
  store_lanes(value, values);
  store_lanes(index, places);
  if (count >= vector_lanes) {
#pragma GCC unroll 16
    for (std::int32_t i = 0; i < vector_lanes; ++i) to[places[i]] = values[i];
  } else {
    for (std::int32_t i = 0; i < count; ++i) to[places[i]] = values[i];
  }
}

/// Each lane's right neighbour; the first of `next` at the end.
template <class Vector>
Vector next_lanes(const Vector& lanes, const Vector& next) {
  return detail::next_lanes(lanes, next, detail::LaneNumbers());
}
/// For each lane the one whose number differs in the bit `distance`.
template <int distance, class Vector>
Vector lanes_apart(const Vector& lanes) {
  return detail::lanes_apart<distance>(lanes, detail::LaneNumbers());
}

inline std::int32_t sum_of_lanes(const SignedLaneVector& lanes) {
  std::int32_t sum = 0;
  for (std::int32_t i = 0; i < vector_lanes; ++i) sum += lanes[i];
  return sum;
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

/// The smallest and the largest lane.
template <int distance = vector_lanes / 2>
std::int32_t least_lane(const SignedLaneVector& lanes) {
  if constexpr (distance == 0) {
    return lanes[0];
  } else {
    const SignedLaneVector other = lanes_apart<distance>(lanes);
    return least_lane<distance / 2>(other < lanes ? other : lanes);
  }
}
template <int distance = vector_lanes / 2>
std::int32_t greatest_lane(const SignedLaneVector& lanes) {
  if constexpr (distance == 0) {
    return lanes[0];
  } else {
    const SignedLaneVector other = lanes_apart<distance>(lanes);
    return greatest_lane<distance / 2>(other > lanes ? other : lanes);
  }
}

/// Bit i: lane i of a comparison holds.
inline std::uint32_t bits_of_lanes(const SignedLaneVector& lanes) {
#if defined(__AVX512F__)
  __m512i all;
  std::memcpy(&all, &lanes, sizeof(lanes));
  return _mm512_test_epi32_mask(all, all);
#elif defined(__AVX2__)
  __m256 all;
  std::memcpy(&all, &lanes, sizeof(lanes));
  return static_cast<std::uint32_t>(_mm256_movemask_ps(all));
#else
  std::uint32_t bits = 0;
  for (std::int32_t i = 0; i < vector_lanes; ++i) bits |= (lanes[i] != 0 ? 1U : 0U) << i;
  return bits;
#endif
}

/// Whether a lane is not 0.
template <class Vector>
bool any_lane(const Vector& lanes) {
#if defined(__AVX512F__)
  __m512i all;
  std::memcpy(&all, &lanes, sizeof(lanes));
  return _mm512_test_epi32_mask(all, all) != 0;
#elif defined(__AVX2__)
  __m256i all;
  std::memcpy(&all, &lanes, sizeof(lanes));
  return _mm256_testz_si256(all, all) == 0;
#else
  return or_of_lanes(lanes) != 0;
#endif
}

}  // namespace agpusim
