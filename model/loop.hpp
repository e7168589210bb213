#pragma once

#include <cstdint>

#include "agpusim/model/fn.hpp"
#include "agpusim/model/scalar.hpp"

namespace agpusim {

/// Calls `body(i)` for every i in [0, count), V lanes at a time in lane order; the lanes beyond
/// `count` are predicated off in the last row. Costs one addition per row, and one comparison in a
/// partial row.
template <class Mp, class Body>
AGPUSIM_FN void for_lanes(Mp& mp, std::int32_t count, Body body) {
  const auto lane = mp.lane();
  const std::int32_t width = mp.width();
  std::int32_t start = 0;
  for (; count - start >= width; start += width) body(lane + start);
  if (start < count) {
    const auto i = lane + start;
    mp.when(i < count, [&] { body(i); });
  }
}

}  // namespace agpusim
