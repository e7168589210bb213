#pragma once

#include <cmath>
#include <cstdint>

#include "agpusim/model/agpu/operands.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {

/// Instructions of one sine or cosine of a 64-bit number below 2^31: the double-precision ones in
/// the PTX of nvcc 13.0, 2 conversions, 2 multiplications and 11 multiply-adds.
inline constexpr std::int64_t trigonometric_instructions = 15;

namespace detail {

template <class F>
Varying<double> trigonometric(const Varying<double>& a, SourceLine where, F f) {
  LaneContext& context = a.context();
  a.use();
  Varying<double> result(context);
  for (std::int64_t i = 0; i < trigonometric_instructions; ++i) context.count_alu();
  for (std::int32_t i = 0, n = context.padded(); i < n; ++i) result.data()[i] = f(a.data()[i]);
  context.made<double>(Op::multiply, where, result, a);
  for (std::int64_t i = 1; i < trigonometric_instructions; ++i) {
    context.execute(Op::floating, true, result.arrives(), {&result.arrives()});
  }
  return result;
}

}  // namespace detail

inline Varying<double> sin(const Varying<double>& a, SourceLine where = SourceLine::current()) {
  return detail::trigonometric(a, where, [](double x) { return std::sin(x); });
}

inline Varying<double> cos(const Varying<double>& a, SourceLine where = SourceLine::current()) {
  return detail::trigonometric(a, where, [](double x) { return std::cos(x); });
}

}  // namespace agpusim
