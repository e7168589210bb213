#pragma once

#include <cmath>
#include <concepts>

#include "agpusim/model/fn.hpp"

// Sine and cosine of a lane value that is a plain scalar, as on CUDA; agpu/trigonometry.hpp has the
// same functions for the lanes of the abstract machine. The machines' last digits may differ.
namespace agpusim {

template <std::same_as<double> T>
AGPUSIM_FN T sin(const T& a) {
  return ::sin(a);
}

template <std::same_as<double> T>
AGPUSIM_FN T cos(const T& a) {
  return ::cos(a);
}

}  // namespace agpusim
