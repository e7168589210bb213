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

/// Rows whose loads are under way together in stream_lanes.
inline constexpr std::int32_t rows_in_flight = 4;

namespace detail {

template <std::int32_t rows, class Lane, class Load, class Use>
AGPUSIM_FN void stream_rows(const Lane& lane, std::int32_t start, std::int32_t width, Load& load,
                            Use& use) {
  const auto i = lane + start;
  const auto loaded = load(i);
  if constexpr (rows > 1) stream_rows<rows - 1>(lane, start + width, width, load, use);
  use(i, loaded);
}

}  // namespace detail

/// `use(i, load(i))` for every i in [0, count), where `load` reads global memory: the loads of
/// rows_in_flight rows are issued before the first is used, so that their latencies overlap. Rows
/// must not depend on each other. Costs what for_lanes costs.
template <class Mp, class Load, class Use>
AGPUSIM_FN void stream_lanes(Mp& mp, std::int32_t count, Load load, Use use) {
  const auto lane = mp.lane();
  const std::int32_t width = mp.width();
  std::int32_t start = 0;
  for (; count - start >= rows_in_flight * width; start += rows_in_flight * width) {
    detail::stream_rows<rows_in_flight>(lane, start, width, load, use);
  }
  for (; count - start >= width; start += width) {
    detail::stream_rows<1>(lane, start, width, load, use);
  }
  if (start < count) {
    const auto i = lane + start;
    mp.when(i < count, [&] { use(i, load(i)); });
  }
}

/// Two values loaded together.
template <class Lane>
struct Loaded2 {
  Lane first;
  Lane second;
};
template <class Lane>
Loaded2(Lane, Lane) -> Loaded2<Lane>;

/// Two values of different types loaded together.
template <class First, class Second>
struct LoadedPair {
  First first;
  Second second;
};
template <class First, class Second>
LoadedPair(First, Second) -> LoadedPair<First, Second>;

/// Three values loaded together.
template <class Lane>
struct Loaded3 {
  Lane first;
  Lane second;
  Lane third;
};
template <class Lane>
Loaded3(Lane, Lane, Lane) -> Loaded3<Lane>;

}  // namespace agpusim
