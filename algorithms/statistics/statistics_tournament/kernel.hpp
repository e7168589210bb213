#pragma once

#include <cstdint>

#include "agpusim/algorithms/statistics/minmax_tournament/kernel.hpp"

namespace agpusim::tournament {

/// data[i] = data[i]² / count. Task t takes `per_task` neighbouring elements.
struct Squares {
  static constexpr const char* name = "squares";
  static constexpr bool oblivious = true;

  std::int64_t size;  ///< elements, with the padding
  std::int32_t per_task;
  float count;  ///< numbers, without the padding

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View data) const {
    const std::int64_t first = mp.task() * per_task;
    const std::int64_t rest = size - first;
    const View part = data.from(first);
    stream_lanes(
        mp, rest < per_task ? static_cast<std::int32_t>(rest) : per_task,
        [&](const auto& i) { return part.read(i); },
        [&](const auto& i, const auto& x) { part.write(i, x * x / count); });
  }
};

/// The sum of each pair to the front half, zeros to the back half.
template <class T>
struct AddPairs {
  static constexpr const char* name = "add_pairs";
  static constexpr bool oblivious = true;

  Pairs pairs;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto zero = mp.varying(T{0});
    pairs.play(
        mp, in, out,
        [&](const auto& i, const auto& v1, const auto& v2, const auto& front, const auto& back) {
          front.write(i, v1 + v2);
          back.write(i, zero);
        });
  }
};

}  // namespace agpusim::tournament
