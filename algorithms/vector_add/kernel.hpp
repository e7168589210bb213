#pragma once

#include <cstdint>

#include "agpusim/model/loop.hpp"

namespace agpusim::vector_add {

/// c[i] = a[i] + b[i]. Task t takes `per_task` neighbouring elements.
struct Add {
  static constexpr const char* name = "add";
  static constexpr bool oblivious = true;

  std::int64_t n;         ///< elements
  std::int32_t per_task;  ///< elements of one task

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View a, View b, View c) const {
    const std::int64_t first = mp.task() * per_task;
    const std::int64_t rest = n - first;
    const View x = a.from(first);
    const View y = b.from(first);
    const View z = c.from(first);
    stream_lanes(
        mp, rest < per_task ? static_cast<std::int32_t>(rest) : per_task,
        [&](const auto& i) {
          return Loaded2{x.read(i), y.read(i)};
        },
        [&](const auto& i, const auto& v) { z.write(i, v.first + v.second); });
  }
};

}  // namespace agpusim::vector_add
