#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "agpusim/ptx/run/lanes.hpp"
#include "agpusim/ptx/run/rounding.hpp"

// Matrices that the lanes of a warp hold together, and their products.
namespace agpusim::ptx {

/// A number of type .tf32: a float whose low 13 bits count for nothing.
enum class Tf32 : std::uint32_t {};
/// cvt gives the nearest number, and of two as near the even one, or that away from zero.
template <bool to_even>
struct ToTf32 {
  static u32 of(float value) {
    const auto bits = std::bit_cast<u32>(value);
    const u32 added = to_even ? 0xFFF + (bits >> 13 & 1) : 0x1000;
    const u32 nan = to_even ? Format<float>::nan : bits;  // as on an H200
    return (value == value ? bits + added : nan) & ~0x1FFFU;
  }
};

/// A is m x k, B is k x n, the accumulators C and D are m x n.
struct Shape {
  explicit Shape(u32 numbers) : m(numbers >> 16), n(numbers >> 8 & 255), k(numbers & 255) {}
  u32 m, n, k;
  /// Others have fewer accumulators, but m8n8k4, of which mma and wmma have the same fragments.
  [[nodiscard]] bool is_of_wmma() const { return m * n == 256; }
  /// It is computed as the product of the transposed matrices (H200).
  [[nodiscard]] bool is_transposed() const { return n > m; }
};

enum class Matrix { a, b, c };

/// Which elements of a matrix each lane holds: as PTX lays out mma.sync, and an H200 wmma, which
/// PTX leaves open. Tiles have 8 lines; in each, lane 4 g + t has `run` neighbours of line g, the
/// first of which is number t * run.
struct Fragment {
  Fragment(Matrix matrix, const Shape& shape, u32 bytes)
      : has_columns(matrix == Matrix::b || (matrix == Matrix::c && shape.is_transposed())),
        lines(has_columns ? shape.n : shape.m),
        depth(matrix != Matrix::c ? shape.k
              : has_columns       ? shape.m
                                  : shape.n),
        run(matrix == Matrix::c ? 2 : std::max(1U, 4 / bytes)),
        above(has_columns != shape.is_transposed() || lines == 8 ? 1 : 2),
        in_register(std::max(1U, 4 / bytes)) {}

  bool has_columns;  ///< its lines are columns, else rows
  u32 lines;
  u32 depth;        ///< elements of a line
  u32 run;          ///< elements of one line that a lane holds in a tile
  u32 above;        ///< tiles of neighbouring lines that come first
  u32 in_register;  ///< elements of a register

  [[nodiscard]] u32 elements() const { return lines * depth / warp_lanes; }
  struct Index {
    u32 row, column;
  };
  /// Where element `number` of a lane lies in the matrix.
  [[nodiscard]] Index index(u32 lane, u32 number) const {
    const u32 tile = number / run;
    const u32 in_line = depth / (4 * run);  // tiles
    const u32 tile_line = tile / (above * in_line) * above + tile % above;
    const u32 tile_at = tile / above % in_line;
    const u32 line = 8 * tile_line + lane / 4;
    const u32 at = (4 * tile_at + lane % 4) * run + number % run;
    return has_columns ? Index{at, line} : Index{line, at};
  }
  /// Registers of a lane. wmma has 8 for f16 in A and B, and so holds elements several times.
  [[nodiscard]] u32 registers(bool eight) const { return eight ? 8 : elements() / in_register; }
};

template <class E>
bool has_eight(Matrix matrix, const Shape& shape) {
  return std::is_same_v<E, F16> && matrix != Matrix::c && shape.is_of_wmma();
}

/// Where element `part` of a lane's register lies.
inline std::byte* element_at(Warp& warp, Place place, u32 lane, u32 part, u32 bytes) {
  return warp.row<std::byte>(place) + std::size_t{std::max(4U, bytes)} * lane +
         std::size_t{bytes} * part;
}

/// An element as the operation has it.
template <class E>
auto number_of(E element) {
  if constexpr (std::is_same_v<E, F16> || std::is_same_v<E, BF16>) {
    return double{widened(element)};
  } else if constexpr (std::is_same_v<E, Tf32>) {
    return double{std::bit_cast<float>(static_cast<u32>(element) & ~0x1FFFU)};
  } else if constexpr (std::is_integral_v<E>) {
    return s64{element};
  } else {
    return double{element};
  }
}
/// A sum as an accumulator: an integer wraps unless it `saturates`. As on an H200, a float is cut
/// off, an f16 rounded to the nearest, and no zero of them is negative.
template <class E, bool saturates>
E element_of(s64 number) {
  using Limits = std::numeric_limits<E>;
  if (saturates) number = std::clamp<s64>(number, Limits::min(), Limits::max());
  return static_cast<E>(number);
}
template <class E, bool /*saturates*/>
E element_of(double number) {
  if constexpr (std::is_same_v<E, double>) return or_canonical_nan(number);
  if constexpr (std::is_same_v<E, float>) {
    const bool is_finite = std::fabs(number) < 0x1p128;
    const float result = is_finite ? to_float<Round::zero>(number) : static_cast<float>(number);
    return or_canonical_nan(result + 0.0F);
  }
  if constexpr (std::is_same_v<E, F16>) {
    const F16 result = half_of<F16>(to_float<Round::odd>(number));
    return result == F16{0x8000} ? F16{} : result;
  }
}

/// Calls f(element, row, column) for each element of a fragment whose registers are inputs of the
/// instruction from `first` on.
template <class E, class F>
void each_element(Warp& warp, const Instruction& i, u32 first, const Fragment& fragment, F f) {
  for (u32 e = 0; e < fragment.elements(); ++e) {
    const Place place = input_of(i, first + e / fragment.in_register);
    for (u32 l = 0; l < warp_lanes; ++l) {
      E element;
      std::memcpy(&element, element_at(warp, place, l, e % fragment.in_register, sizeof(E)),
                  sizeof(E));
      const auto [row, column] = fragment.index(l, e);
      f(element, row, column);
    }
  }
}

// --- sum += left right; all three lie by rows

/// Integers are added exactly, each product of f64 without a rounding of its own.
template <class T>
void add_products(const Shape& shape, const T* left, const T* right, T* sum) {
  for (u32 row = 0; row < shape.m; ++row, left += shape.k, sum += shape.n) {
    for (u32 k = 0; k < shape.k; ++k) {
      const T* const others = right + k * shape.n;
      for (u32 column = 0; column < shape.n; ++column) {
        if constexpr (std::is_same_v<T, double>) {
          sum[column] = std::fma(left[k], others[column], sum[column]);
        } else {
          sum[column] += left[k] * others[column];
        }
      }
    }
  }
}

/// At least `least`, that of subnormal numbers; of 0 lower than all.
inline s32 exponent_of(double number, s32 least) {
  const auto exponent = static_cast<s32>(std::bit_cast<u64>(number) >> 52 & 0x7FF) - 1023;
  return number == 0 ? exponent : std::max(least, exponent);
}
inline double power_of_two(s32 exponent) {
  return std::bit_cast<double>(static_cast<u64>(exponent + 1023) << 52);
}
template <class E>
inline constexpr s32 least_exponent = std::is_same_v<E, F16> ? -14 : -126;
/// Shorter floats have exact products. PTX leaves the order of sums open. An H200 adds all summands
/// of an element at once, each cut off behind 25 bits, counted from the greatest exponent; that of
/// a product is the sum of its factors'. It takes wmma of tf32 in two steps. The last bits on
/// another GPU may differ.
template <class A, class C, class D>
void add_cut_products(const Shape& shape, const double* left, const double* right, double* sum) {
  constexpr s32 bits = 25;
  constexpr s32 none = -400;  // where all are 0
  const u32 step = std::is_same_v<A, Tf32> && shape.is_of_wmma() ? 4 : shape.k;
  for (u32 first = 0; first < shape.k; first += step) {
    for (u32 row = 0; row < shape.m; ++row) {
      double* const to = sum + std::size_t{row} * shape.n;
      s32 top[32] = {};
      double whole[32] = {};
      double cut[32] = {};
      const auto each_product = [&](auto f) {
        for (u32 k = first; k < first + step; ++k) {
          const double factor = left[row * shape.k + k];
          for (u32 column = 0; column < shape.n; ++column) {
            f(column, factor, right[k * shape.n + column]);
          }
        }
      };
      for (u32 column = 0; column < shape.n; ++column) {
        top[column] = std::max(none, exponent_of(to[column], least_exponent<C>));
        whole[column] = to[column];
      }
      each_product([&](u32 column, double a, double b) {
        const s32 exponent = exponent_of(a, least_exponent<A>) + exponent_of(b, least_exponent<A>);
        top[column] = std::max(top[column], exponent);
        whole[column] += a * b;
      });
      for (u32 column = 0; column < shape.n; ++column) {
        cut[column] = std::trunc(to[column] * power_of_two(bits - top[column]));
      }
      each_product([&](u32 column, double a, double b) {
        cut[column] += std::trunc(a * b * power_of_two(bits - top[column]));
      });
      for (u32 column = 0; column < shape.n; ++column) {
        const double result = cut[column] * power_of_two(top[column] - bits);
        const bool is_finite = std::isfinite(whole[column]);
        to[column] = number_of(element_of<D, false>(is_finite ? result : whole[column]));
      }
    }
  }
}

}  // namespace agpusim::ptx
