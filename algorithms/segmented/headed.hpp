#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/element_of.hpp"
#include "agpusim/model/scalar.hpp"

// A segmented fold or scan is one under an operator on pairs (Blelloch, CMU-CS-90-190, 1990, 1.5;
// Sengupta, Harris, Zhang and Owens, Graphics Hardware 2007): kernels that take any operator do it
// with the views of this file. An element is a value and its head flag, not 0 where a segment
// begins; both have an array of their own.
namespace agpusim::segmented {

/// What is known of some neighbours: how many segments begin among them, and the fold of those from
/// the last head on, or, where there is none, of all.
template <class Value, class Heads>
struct Headed {
  Value value;
  Heads heads;
};
template <class Value, class Heads>
Headed(Value, Heads) -> Headed<Value, Heads>;

/// Two arrays of words, of global or shared memory, as one of pairs.
template <class Values, class Heads>
struct PairView {
  Values values;
  Heads heads;

  [[nodiscard]] AGPUSIM_FN PairView from(std::int64_t offset) const {
    return {values.from(offset), heads.from(offset)};
  }
  template <class Index>
  [[nodiscard]] AGPUSIM_FN auto read(const Index& i) const {
    return Headed{values.read(i), heads.read(i)};
  }
  template <class Index, class Pair>
  AGPUSIM_FN void write(const Index& i, const Pair& pair) const {
    values.write(i, pair.value);
    heads.write(i, pair.heads);
  }
};
template <class Values, class Heads>
PairView(Values, Heads) -> PairView<Values, Heads>;

/// Elements as they come: any flag but 0 is a head.
template <class Values, class Heads>
struct HeadedView {
  Values values;
  Heads heads;

  [[nodiscard]] AGPUSIM_FN HeadedView from(std::int64_t offset) const {
    return {values.from(offset), heads.from(offset)};
  }
  template <class Index>
  [[nodiscard]] AGPUSIM_FN auto read(const Index& i) const {
    return Headed{values.read(i), heads.read(i)};
  }
};

template <class Values, class Heads, class Stored>
[[nodiscard]] AGPUSIM_FN Stored element_of(const HeadedView<Values, Heads>&, const Stored& stored) {
  return {stored.value, min(stored.heads, 1U)};
}

/// `Operator` within segments: associative, never commutative. Up to 2^32 - 1 heads.
template <class Operator>
struct Segmented {
  using record = void;
  using word = typename Operator::value_type;
  /// Its size is at least that of a value and a number of heads in arrays of their own.
  struct value_type {
    word value;
    std::uint32_t heads;
  };
  static constexpr bool commutative = false;

  template <class Pair>
  AGPUSIM_FN Pair operator()(const Pair& a, const Pair& b) const {
    const Operator combine;
    return {select(b.heads == 0U, combine(a.value, b.value), b.value), a.heads + b.heads};
  }
  template <class Mp>
  [[nodiscard]] AGPUSIM_FN static auto identity_of(Mp& mp) {
    return Headed{mp.varying(Operator::identity), mp.varying(std::uint32_t{0})};
  }
  template <class Mp>
  [[nodiscard]] AGPUSIM_FN static auto tile_of(Mp& mp, std::int32_t size, const char* name) {
    const auto values = mp.template shared<word>(size, name);
    const auto heads = mp.template shared<std::uint32_t>(size, name);
    return PairView{values, heads};
  }
};

}  // namespace agpusim::segmented
