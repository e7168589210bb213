#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "agpusim/algorithms/common/pram/logarithms.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/model/run/algorithm.hpp"

// Bounds of the algorithms on a PRAM as functions of the number of elements.
namespace agpusim::growth {

/// An expression in the number of elements, at least 1.
using Law = double (*)(double size);

inline double one(double) { return 1; }
inline double linear(double m) { return m; }
inline double square(double m) { return m * m; }
inline double cube(double m) { return m * m * m; }
inline double log(double m) { return lg(m); }
inline double log_square(double m) { return lg(m) * lg(m); }
inline double log_log(double m) { return lg(lg(m)); }
inline double log_times_log_log(double m) { return lg(m) * log_log(m); }
inline double log_star(double m) {
  return std::max(1.0, static_cast<double>(agpusim::log_star(static_cast<std::int64_t>(m))));
}
inline double m_log(double m) { return m * lg(m); }
inline double m_log_square(double m) { return m * lg(m) * lg(m); }
inline double m_log_log(double m) { return m * log_log(m); }
inline double m_log_star(double m) { return m * log_star(m); }
inline double m_over_log(double m) { return m / lg(m); }
inline double m_over_log_star(double m) { return m / log_star(m); }

/// The bound of a run of `size(config)` elements.
template <class Size>
[[nodiscard]] PramBound bound(std::string text, Size size, Law steps, Law processors, Law work) {
  const auto of = [size](Law law) {
    return [size, law](const RunConfig& config) {
      return law(static_cast<double>(std::max<std::int64_t>(1, size(config))));
    };
  };
  return {std::move(text), of(steps), of(processors), of(work)};
}

/// A bound in n, the number of elements.
[[nodiscard]] inline PramBound of_n(std::string text, Law steps, Law processors, Law work) {
  return bound(
      std::move(text), [](const RunConfig& config) { return config.n; }, steps, processors, work);
}

/// A bound in m = max(n, range).
[[nodiscard]] inline PramBound of_m(std::string text, Law steps, Law processors, Law work) {
  return bound(
      std::move(text),
      [](const RunConfig& config) { return std::max(config.n, config.parameters.at("range")); },
      steps, processors, work);
}

}  // namespace agpusim::growth
