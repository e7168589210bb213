#pragma once

#include <cstdint>

#include "agpusim/algorithms/statistics/fields.hpp"
#include "agpusim/model/scalar.hpp"

// What is kept of the numbers for their mean and variance. A policy has the `sums` that lanes keep
// and add up within a task, and the `fields` of a record that tasks leave and that records merge.
namespace agpusim::statistics {

/// Nothing.
template <class T>
struct NoMoments {
  static constexpr std::int32_t sums = 0;
  static constexpr std::int32_t fields = 0;

  template <class Mp>
  class Lanes {
   public:
    template <class View>
    AGPUSIM_FN Lanes(Mp&, const View&, std::int64_t) {}
    template <class Number>
    AGPUSIM_FN void absorb(const Number&) {}
    template <class Field>
    AGPUSIM_FN void store(Field*) const {}
    template <class Field>
    AGPUSIM_FN void finish(Mp&, std::int64_t, Field*) const {}
  };
  template <class Field>
  AGPUSIM_FN static void add(Field*, const Field*) {}
  template <class Field>
  AGPUSIM_FN static void merge(Field*, const Field*) {}
};

/// Floating-point numbers. A task sums x - s and (x - s)^2 in double, s being the first element of
/// its segment; its record is (n, mean, M2), M2 the sum of squared deviations from the mean, and
/// records merge pairwise (Chan, Golub and LeVeque, American Statistician 37(3), 1983). s is one of
/// the numbers, so that M2 is at least of the order of (s - mean)^2 and cancellation costs a factor
/// of the segment's length at most, whatever mean/sigma is.
template <class T>
struct ShiftedMoments {
  static constexpr std::int32_t sums = 2;
  static constexpr std::int32_t fields = 3;

  template <class Mp>
  class Lanes {
   public:
    using Number = typename Mp::template Lane<T>;
    using Field = typename Mp::template Lane<double>;

    template <class View>
    AGPUSIM_FN Lanes(Mp& mp, const View& segment, std::int64_t)
        : first_(segment.read(mp.varying(std::int32_t{0}))),
          shift_(mp.varying(0.0)),
          sum_(mp.varying(0.0)),
          squares_(mp.varying(0.0)) {}

    AGPUSIM_FN void absorb(const Number& x) {
      if (waiting_) {  // not earlier, so that the read of s overlaps with the others
        shift_ = widen<double, T>(first_);
        waiting_ = false;
      }
      const auto d = widen<double, T>(x) - shift_;
      sum_ = sum_ + d;
      squares_ = fma(d, d, squares_);
    }
    AGPUSIM_FN void store(Field* to) const {
      to[0] = sum_;
      to[1] = squares_;
    }
    /// Turns the sums over `length` elements into a record.
    AGPUSIM_FN void finish(Mp& mp, std::int64_t length, Field* of) const {
      const auto n = static_cast<double>(length);
      const auto distance = of[0] / n;
      of[2] = of[1] - of[0] * distance;
      of[1] = shift_ + distance;
      of[0] = mp.varying(n);
    }

   private:
    Number first_;
    Field shift_;
    Field sum_;
    Field squares_;
    bool waiting_ = true;
  };

  template <class Field>
  AGPUSIM_FN static void add(Field* mine, const Field* other) {
    mine[0] = mine[0] + other[0];
    mine[1] = mine[1] + other[1];
  }
  template <class Field>
  AGPUSIM_FN static void merge(Field* mine, const Field* other) {
    const auto n = mine[0] + other[0];
    const auto delta = other[1] - mine[1];
    const auto share = other[0] / n;
    mine[2] = mine[2] + other[2] + delta * delta * mine[0] * share;
    mine[1] = mine[1] + delta * share;
    mine[0] = n;
  }
};

/// The seed's formula, variance = E[x^2] - E[x]^2, in the precision of the data: sums of x and of
/// x^2/n. It cancels: the relative error grows with (mean/sigma)^2, and the result can be negative.
template <class T>
struct TextbookMoments {
  static constexpr std::int32_t sums = 2;
  static constexpr std::int32_t fields = 2;

  template <class Mp>
  class Lanes {
   public:
    using Number = typename Mp::template Lane<T>;

    template <class View>
    AGPUSIM_FN Lanes(Mp& mp, const View&, std::int64_t n)
        : n_(static_cast<T>(n)), sum_(mp.varying(T{0})), squares_(mp.varying(T{0})) {}

    AGPUSIM_FN void absorb(const Number& x) {
      sum_ = sum_ + x;
      squares_ = squares_ + x * x / n_;
    }
    template <class Field>
    AGPUSIM_FN void store(Field* to) const {
      to[0] = widen<double, T>(sum_);
      to[1] = widen<double, T>(squares_);
    }
    template <class Field>
    AGPUSIM_FN void finish(Mp&, std::int64_t, Field*) const {}

   private:
    T n_;
    Number sum_;
    Number squares_;
  };

  /// The sum of two numbers of type T, rounded to T.
  template <class Field>
  AGPUSIM_FN static void add(Field* mine, const Field* other) {
    for (std::int32_t f = 0; f < sums; ++f) {
      mine[f] = widen<double, T>(widen<T, double>(mine[f]) + widen<T, double>(other[f]));
    }
  }
  template <class Field>
  AGPUSIM_FN static void merge(Field* mine, const Field* other) {
    add(mine, other);
  }
};

}  // namespace agpusim::statistics
