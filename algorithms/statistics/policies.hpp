#pragma once

#include <type_traits>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/statistics/exact_moments.hpp"
#include "agpusim/algorithms/statistics/moments.hpp"

namespace agpusim::statistics {

/// Calls `f.operator()<T, Moments, serial>()` for a run of `statistics`.
template <class F>
auto with_moments(const RunConfig& config, F f) {
  return with_numeric_type(config.type, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T>) {
      return config.variant == "one_lane" ? f.template operator()<T, ExactMoments<T>, true>()
                                          : f.template operator()<T, ExactMoments<T>, false>();
    } else {
      if (config.variant == "textbook") {
        return f.template operator()<T, TextbookMoments<T>, false>();
      }
      return config.variant == "one_lane" ? f.template operator()<T, ShiftedMoments<T>, true>()
                                          : f.template operator()<T, ShiftedMoments<T>, false>();
    }
  });
}

/// Calls `f.operator()<T, NoMoments<T>, serial>()` for a run of `minmax`.
template <class F>
auto without_moments(const RunConfig& config, F f) {
  return with_numeric_type(config.type, [&]<class T>(T) {
    return config.variant == "one_lane" ? f.template operator()<T, NoMoments<T>, true>()
                                        : f.template operator()<T, NoMoments<T>, false>();
  });
}

}  // namespace agpusim::statistics
