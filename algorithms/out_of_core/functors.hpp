#pragma once

#include <cstdint>

#include "agpusim/model/fn.hpp"
#include "agpusim/model/trigonometry.hpp"

// Functions of an element for transform: the two of seed 004.
namespace agpusim::out_of_core {

/// x·factor.
struct Scale {
  using input_type = double;
  using output_type = double;

  double factor;

  template <class V>
  AGPUSIM_FN V operator()(const V& x) const {
    return x * factor;
  }
};

/// sin(x)^2 + cos(x)^2. On the abstract machine its caller includes model/agpu/trigonometry.hpp.
struct SinSquaredPlusCosSquared {
  using input_type = double;
  using output_type = double;
  /// Two of 15 (trigonometric_instructions), two products and a sum.

  template <class V>
  AGPUSIM_FN V operator()(const V& x) const {
    const V sine = sin(x);
    const V cosine = cos(x);
    return sine * sine + cosine * cosine;
  }
};

}  // namespace agpusim::out_of_core
