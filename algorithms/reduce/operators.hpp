#pragma once

#include <cstdint>

#include "agpusim/model/fn.hpp"

namespace agpusim::reduce {

/// Addition modulo 2^bits: associative and commutative.
template <class T>
struct Sum {
  using value_type = T;
  static constexpr T identity = 0;
  static constexpr std::int64_t alu = 1;  ///< instructions of one application

  template <class V>
  AGPUSIM_FN V operator()(const V& a, const V& b) const {
    return a + b;
  }
};

/// Composition of affine maps x -> p·x + q modulo 2^16, packed as p·2^16 + q: associative, not
/// commutative, with inputs and outputs of one 32-bit word. `a` is applied first.
struct ComposeAffine {
  using value_type = std::uint32_t;
  static constexpr std::uint32_t identity = 1U << 16;
  static constexpr std::int64_t alu = 9;

  template <class V>
  AGPUSIM_FN V operator()(const V& a, const V& b) const {
    const V p = b >> 16U;
    const V q = ((a & 0xffffU) * p + b) & 0xffffU;
    return (((a >> 16U) * p) << 16U) | q;
  }
};

}  // namespace agpusim::reduce
