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

}  // namespace agpusim
