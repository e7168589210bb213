#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>

#include "agpusim/model/agpu/lane_vector.hpp"
#include "agpusim/ptx/lower/opcodes.hpp"
#include "agpusim/ptx/run/warp.hpp"

// Operations that each lane of a warp does for itself.
namespace agpusim::ptx {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

namespace detail {

template <class F, class D, class... S, std::size_t... k>
void each_lane(Warp& warp, const Instruction& instruction, std::index_sequence<k...>) {
  D* const to = warp.row<D>(instruction.place[0]);
  const std::tuple<const S*...> from{warp.row<S>(instruction.place[k + 1])...};
  const Lanes active = warp.active;
  if (active == all_lanes) {
#pragma GCC ivdep
    for (std::uint32_t l = 0; l < warp_lanes; ++l) {
      to[l] = static_cast<D>(F::of(std::get<k>(from)[l]...));
    }
    return;
  }
#pragma GCC ivdep
  for (std::uint32_t l = 0; l < warp_lanes; ++l) {
    const D value = static_cast<D>(F::of(std::get<k>(from)[l]...));
    to[l] = (active >> l & 1) != 0 ? value : to[l];
  }
}

}  // namespace detail

/// place[0] = F::of(place[1], ...), lane by lane.
template <class F, class D, class... S>
void each_lane(Warp& warp, const Instruction& instruction) {
  detail::each_lane<F, D, S...>(warp, instruction, std::index_sequence_for<S...>());
}

/// The lanes for which f(lane) holds.
template <class F>
Lanes lanes_where(F f) {
  alignas(64) std::int32_t holds[warp_lanes];
#pragma GCC ivdep
  for (std::uint32_t l = 0; l < warp_lanes; ++l) holds[l] = f(l) ? -1 : 0;
  Lanes result = 0;
  for (std::uint32_t l = 0; l < warp_lanes; l += vector_lanes) {
    result |= bits_of_lanes(load_lanes<SignedLaneVector>(holds + l)) << l;
  }
  return result;
}

/// All ones where a comparison holds.
inline LaneVector masks(const SignedLaneVector& holds) {
  return reinterpret_cast<LaneVector>(holds);
}
/// All ones where a bit is set.
inline LaneVector masks_of(std::uint32_t bits) {
  return masks((bits >> reinterpret_cast<LaneVector>(lane_numbers_of_vector) & 1) != 0);
}

/// 64-bit values that fill one vector register.
using WideVector = std::uint64_t __attribute__((vector_size(sizeof(LaneVector))));
inline constexpr std::uint32_t wide_lanes = vector_lanes / 2;
inline WideVector load_wide(const std::uint64_t* from) {
  WideVector result;
  std::memcpy(&result, from, sizeof(result));
  return result;
}
/// 32-bit values as 64-bit ones.
inline WideVector widen(const std::uint32_t* from) {
  std::uint32_t __attribute__((vector_size(sizeof(LaneVector) / 2))) values;
  std::memcpy(&values, from, sizeof(values));
#if defined(__AVX512F__)  // GCC 12 converts halves, and puts them together
  return std::bit_cast<WideVector>(_mm512_cvtepu32_epi64(std::bit_cast<__m256i>(values)));
#else
  return __builtin_convertvector(values, WideVector);
#endif
}
/// The numbers of the lanes.
inline constexpr std::array<std::uint64_t, warp_lanes> wide_numbers = [] {
  std::array<std::uint64_t, warp_lanes> numbers{};
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}();
/// Whether a value of these lanes is not 0: f(l) gives those of one vector, from lane l on.
template <class F>
bool any_where(Lanes lanes, F f) {
  WideVector any{};
  if (lanes == all_lanes) {
    for (std::uint32_t l = 0; l < warp_lanes; l += wide_lanes) any |= f(l);
  } else {
    for (std::uint32_t l = 0; l < warp_lanes; l += wide_lanes) {
      any |= f(l) & -(std::uint64_t{lanes} >> load_wide(&wide_numbers[l]) & 1);
    }
  }
  return any_lane(any);
}

template <class T>
consteval Type type_of() {
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? Type::f32 : Type::f64;
  const Type first = std::is_signed_v<T> ? Type::s8 : Type::u8;
  return static_cast<Type>(static_cast<int>(first) + std::countr_zero(sizeof(T)));
}

/// Bits are unsigned integers.
[[nodiscard]] constexpr Type as_number(Type type) {
  switch (type) {
    case Type::b8:
      return Type::u8;
    case Type::b16:
      return Type::u16;
    case Type::b32:
      return Type::u32;
    case Type::b64:
      return Type::u64;
    default:
      return type;
  }
}

/// What `f.operator()<T>()` returns for the T of these that `type` is; null for any other.
template <class... T, class F>
Execute for_type(Type type, F f) {
  Execute result = nullptr;
  (void)((type_of<T>() == as_number(type) && (result = f.template operator()<T>(), true)) || ...);
  return result;
}

/// Decodes a row that has one operation for all its spellings.
template <Execute execute>
Execute always(const Spelling& /*spelling*/) {
  return execute;
}

/// Rows d = F(a), F(a, b), F(a, b, c) of one type.
template <class F, class... Types>
Execute unary(const Spelling& spelling) {
  return for_type<Types...>(spelling.type[0],
                            []<class T>() -> Execute { return &each_lane<F, T, T>; });
}
template <class F, class... Types>
Execute binary(const Spelling& spelling) {
  return for_type<Types...>(spelling.type[0],
                            []<class T>() -> Execute { return &each_lane<F, T, T, T>; });
}
template <class F, class... Types>
Execute ternary(const Spelling& spelling) {
  return for_type<Types...>(spelling.type[0],
                            []<class T>() -> Execute { return &each_lane<F, T, T, T, T>; });
}

}  // namespace agpusim::ptx
