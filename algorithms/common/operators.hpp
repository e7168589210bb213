#pragma once

#include <cstdint>
#include <limits>

#include "agpusim/model/fn.hpp"
#include "agpusim/model/scalar.hpp"

// Associative operators for reductions and scans.
namespace agpusim::operators {

/// Addition: modulo 2^bits of an unsigned type; leaving a signed type is an overflow error.
template <class T>
struct Sum {
  using value_type = T;
  static constexpr T identity = 0;
  static constexpr bool commutative = true;

  template <class V>
  AGPUSIM_FN V operator()(const V& a, const V& b) const {
    return a + b;
  }
};

/// The larger value.
template <class T>
struct Max {
  using value_type = T;
  static constexpr T identity = std::numeric_limits<T>::lowest();
  static constexpr bool commutative = true;

  template <class V>
  AGPUSIM_FN V operator()(const V& a, const V& b) const {
    return max(a, b);
  }
};

/// Composition of affine maps x -> p·x + q modulo 2^16, packed as p·2^16 + q: associative, not
/// commutative, with inputs and outputs of one 32-bit word. `a` is applied first.
struct ComposeAffine {
  using value_type = std::uint32_t;
  static constexpr std::uint32_t identity = 1U << 16;
  static constexpr bool commutative = false;

  template <class V>
  AGPUSIM_FN V operator()(const V& a, const V& b) const {
    const V p = b >> 16U;
    const V q = ((a & 0xffffU) * p + b) & 0xffffU;
    return (((a >> 16U) * p) << 16U) | q;
  }
};

}  // namespace agpusim::operators
