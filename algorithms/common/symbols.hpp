#pragma once

#include <algorithm>
#include <cmath>

#include "agpusim/model/run/run.hpp"

namespace agpusim {

/// lg x, at least 1: a factor of a bound does not vanish where its argument is small.
[[nodiscard]] inline double lg(double x) { return std::log2(std::max(x, 2.0)); }

/// What the expressions of bounds are made of: Bound::value may take it in place of the run.
struct Symbols {
  Symbols(const RunConfig& run)
      : config(run),
        n(static_cast<double>(run.n)),
        p(static_cast<double>(run.spec.cores)),
        b(run.spec.block_words),
        k(static_cast<double>(run.spec.multiprocessors())),
        width(run.spec.width) {}

  /// The value of a parameter.
  [[nodiscard]] double operator[](const char* parameter) const {
    return static_cast<double>(config.parameters.at(parameter));
  }

  const RunConfig& config;
  double n;
  double p;
  double b;
  double k;
  double width;  ///< V
};

}  // namespace agpusim
