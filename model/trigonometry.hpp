#pragma once

#include <cmath>
#include <type_traits>

#include "agpusim/model/fn.hpp"

// Sine and cosine of a lane value that is a plain scalar, as on CUDA; agpu/trigonometry.hpp has the
// same functions for the lanes of the abstract machine.
namespace agpusim {

template <class T>
requires std::is_floating_point_v<T> AGPUSIM_FN T sin(const T& a) { return ::sin(a); }

template <class T>
requires std::is_floating_point_v<T> AGPUSIM_FN T cos(const T& a) { return ::cos(a); }

}  // namespace agpusim
