#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "agpusim/model/fn.hpp"

namespace agpusim {

/// A few values of each lane. Indices must be known when the kernel is compiled: registers have no
/// addresses.
template <class T, std::int32_t size>
struct Registers {
  T values[static_cast<std::size_t>(size)];

  AGPUSIM_FN T& operator[](std::int32_t i) { return values[i]; }
  AGPUSIM_FN const T& operator[](std::int32_t i) const { return values[i]; }
};

namespace detail {

template <class F, std::int32_t... i>
AGPUSIM_FN auto make_registers(F& f, std::integer_sequence<std::int32_t, i...>) {
  using T = std::remove_cvref_t<decltype(f(0))>;
  return Registers<T, static_cast<std::int32_t>(sizeof...(i))>{{f(i)...}};
}

}  // namespace detail

/// f(0), f(1), ..., f(size-1), made in this order.
template <std::int32_t size, class F>
AGPUSIM_FN auto make_registers(F f) {
  return detail::make_registers(f, std::make_integer_sequence<std::int32_t, size>{});
}

/// `value` in each of `size` registers.
template <std::int32_t size, class T>
AGPUSIM_FN Registers<T, size> registers_of(const T& value) {
  return make_registers<size>([&](std::int32_t) { return value; });
}

/// Whether a lane accesses `count` neighbours of type T at once: 8 or 16 bytes of whole words.
template <class T, std::int32_t count>
concept WideAccess = (count == 2 || count == 4) && sizeof(T) >= 4 && sizeof(T) * count <= 16;

}  // namespace agpusim
