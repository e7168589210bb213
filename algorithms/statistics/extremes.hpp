#pragma once

#include <cstdint>
#include <limits>

#include "agpusim/algorithms/statistics/fields.hpp"
#include "agpusim/model/scalar.hpp"

namespace agpusim::statistics {

/// The smallest and the largest number, the index of the first of each, and of floating-point
/// numbers the index of the first NaN; a monoid.
/// Fields: min, argmin, max, argmax and, of floating-point numbers, nan_at. Integers are stored
/// with the sign bit inverted, which orders them as unsigned words.
template <class T>
struct Extremes {
  using Word = word_t<T>;
  static constexpr bool floating = std::is_floating_point_v<T>;
  static constexpr std::int32_t fields = floating ? 5 : 4;
  static constexpr Word no_nan = Word{std::uint64_t{1} << 62};  ///< nan_at where there is none
  static constexpr std::uint64_t sign = std::uint64_t{1} << 63;

  /// What a lane keeps of the elements that it passes over; indices count from the segment's start.
  template <class Mp>
  class Lanes {
   public:
    using Index = typename Mp::template Lane<std::int32_t>;
    using Number = typename Mp::template Lane<T>;
    using Field = typename Mp::template Lane<Word>;

    /// A lane's first element has the lane's number; if nothing is smaller than the largest number,
    /// that element is its minimum.
    AGPUSIM_FN explicit Lanes(Mp& mp)
        : min_(mp.varying(largest)),
          max_(mp.varying(smallest)),
          argmin_(mp.lane()),
          argmax_(mp.lane()),
          nan_at_(mp.varying(nowhere)),
          nowhere_(mp.varying(nowhere)),
          no_nan_(mp.varying(no_nan)) {}

    AGPUSIM_FN void absorb(const Index& i, const Number& x) {
      const auto less = x < min_;
      min_ = select(less, x, min_);
      argmin_ = select(less, i, argmin_);
      const auto greater = x > max_;
      max_ = select(greater, x, max_);
      argmax_ = select(greater, i, argmax_);
      if constexpr (floating) nan_at_ = min(nan_at_, select(x != x, i, nowhere_));
    }

    /// The lane's record, of a segment that starts at element `first`.
    AGPUSIM_FN void store(std::int64_t first, Field* to) const {
      to[0] = ordered(min_);
      to[1] = cast<Word>(argmin_) + static_cast<Word>(first);
      to[2] = ordered(max_);
      to[3] = cast<Word>(argmax_) + static_cast<Word>(first);
      if constexpr (floating) {
        to[4] = select(nan_at_ == nowhere, no_nan_, cast<Word>(nan_at_) + static_cast<Word>(first));
      }
    }

   private:
    using Limits = std::numeric_limits<T>;
    static constexpr std::int32_t nowhere = std::numeric_limits<std::int32_t>::max();
    static constexpr T largest = floating ? Limits::infinity() : Limits::max();
    static constexpr T smallest = floating ? -Limits::infinity() : Limits::lowest();

    AGPUSIM_FN static Field ordered(const Number& x) {
      if constexpr (floating) {
        return widen<Word, T>(x);
      } else {
        return cast<Word>(x) + sign;
      }
    }

    Number min_;
    Number max_;
    Index argmin_;
    Index argmax_;
    Index nan_at_;
    Index nowhere_;
    Field no_nan_;
  };

  /// `mine` becomes the record of both parts; of equal numbers the one with the lower index counts.
  template <class Field>
  AGPUSIM_FN static void combine(Field* mine, const Field* other) {
    const auto less = other[0] < mine[0] || (other[0] == mine[0] && other[1] < mine[1]);
    mine[0] = select(less, other[0], mine[0]);
    mine[1] = select(less, other[1], mine[1]);
    const auto greater = other[2] > mine[2] || (other[2] == mine[2] && other[3] < mine[3]);
    mine[2] = select(greater, other[2], mine[2]);
    mine[3] = select(greater, other[3], mine[3]);
    if constexpr (floating) mine[4] = min(mine[4], other[4]);
  }
};

}  // namespace agpusim::statistics
