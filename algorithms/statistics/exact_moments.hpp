#pragma once

#include <cstdint>

#include "agpusim/algorithms/statistics/fields.hpp"
#include "agpusim/model/scalar.hpp"

// Exact sums of integers and of their squares, as policies like those of moments.hpp. A sum that a
// 64-bit word cannot hold is kept as the sums of the 32-bit halves of its terms; each stays below
// 2^63 for up to 2^31 terms.
namespace agpusim::statistics {

inline constexpr std::uint64_t low_half = 0xffffffff;

/// Most integers whose sums are exact.
inline constexpr std::int64_t most_integers = std::int64_t{1} << 31;

/// What both widths share: sums are fields, and records add.
template <std::int32_t count>
struct ExactSums {
  static constexpr std::int32_t sums = count;
  static constexpr std::int32_t fields = count;

  template <class Field>
  AGPUSIM_FN static void add(Field* mine, const Field* other) {
    for (std::int32_t f = 0; f < count; ++f) mine[f] = mine[f] + other[f];
  }
  template <class Field>
  AGPUSIM_FN static void merge(Field* mine, const Field* other) {
    add(mine, other);
  }
};

/// Fields: the sum of x (modulo 2^64), and of the halves of x^2, low and high.
template <class T>
struct ExactMoments;

template <>
struct ExactMoments<std::int32_t> : ExactSums<3> {
  template <class Mp>
  class Lanes {
   public:
    using Field = typename Mp::template Lane<std::uint64_t>;

    template <class View>
    AGPUSIM_FN Lanes(Mp& mp, const View&, std::int64_t)
        : sum_(mp.varying(std::uint64_t{0})), low_(sum_), high_(sum_) {}

    template <class Number>
    AGPUSIM_FN void absorb(const Number& number) {
      const auto x = cast<std::uint64_t>(number);
      sum_ = sum_ + x;
      const auto square = x * x;  // below 2^62, and so is x^2 modulo 2^64
      low_ = low_ + (square & low_half);
      high_ = high_ + (square >> 32U);
    }
    AGPUSIM_FN void store(Field* to) const {
      to[0] = sum_;
      to[1] = low_;
      to[2] = high_;
    }
    AGPUSIM_FN void finish(Mp&, std::int64_t, Field*) const {}

   private:
    Field sum_;
    Field low_;
    Field high_;
  };
};

/// Fields: the sums of the halves of x + 2^63 (at least 0), then of the halves of the products
/// l·l, l·h and h·h, where |x| = h·2^32 + l.
template <>
struct ExactMoments<std::int64_t> : ExactSums<8> {
  template <class Mp>
  class Lanes {
   public:
    using Field = typename Mp::template Lane<std::uint64_t>;

    template <class View>
    AGPUSIM_FN Lanes(Mp& mp, const View&, std::int64_t) : zero_(mp.varying(std::uint64_t{0})) {}

    template <class Number>
    AGPUSIM_FN void absorb(const Number& number) {
      const auto x = cast<std::uint64_t>(number);
      add_halves(0, x + sign);
      const auto magnitude = select(number < 0, 0 - x, x);
      const auto low = magnitude & low_half;
      const auto high = magnitude >> 32U;
      add_halves(2, low * low);
      add_halves(4, low * high);
      add_halves(6, high * high);
    }
    AGPUSIM_FN void store(Field* to) const {
      for (std::int32_t f = 0; f < sums; ++f) to[f] = sum_[f];
    }
    AGPUSIM_FN void finish(Mp&, std::int64_t, Field*) const {}

   private:
    static constexpr std::uint64_t sign = std::uint64_t{1} << 63;

    AGPUSIM_FN void add_halves(std::int32_t f, const Field& term) {
      sum_[f] = sum_[f] + (term & low_half);
      sum_[f + 1] = sum_[f + 1] + (term >> 32U);
    }

    Field zero_;
    Field sum_[sums] = {zero_, zero_, zero_, zero_, zero_, zero_, zero_, zero_};
  };
};

}  // namespace agpusim::statistics
