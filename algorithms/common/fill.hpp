#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/model/loop.hpp"

namespace agpusim {

/// Writes one value to every element of an array.
template <class T>
struct Fill {
  static constexpr const char* name = "fill";
  static constexpr bool oblivious = true;

  Cut cut;
  T value;

  template <class Mp, class Out>
  AGPUSIM_FN void operator()(Mp& mp, Out out) const {
    const Segments segments = cut.segments(mp);
    const Out segment = out.from(segments.first(mp.task()));
    const auto filled = mp.varying(value);
    for_lanes(mp, static_cast<std::int32_t>(segments.length(mp.task())),
              [&](const auto& i) { segment.write(i, filled); });
  }
};

}  // namespace agpusim
