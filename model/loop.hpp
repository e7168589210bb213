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

/// Rows whose loads are under way together in stream_lanes, unless a kernel says otherwise.
inline constexpr std::int32_t rows_in_flight = 4;

namespace detail {

/// Loads `rows` rows from row `start` on, then calls `before` and uses them, all in order.
template <std::int32_t rows, class Lane, class Load, class Use, class Before>
AGPUSIM_FN void stream_rows(const Lane& lane, std::int32_t start, std::int32_t width, Load& load,
                            Use& use, const Before& before) {
  const auto i = lane + start;
  const auto loaded = load(i);
  const auto use_in_order = [&] {
    before();
    use(i, loaded);
  };
  if constexpr (rows > 1) {
    stream_rows<rows - 1>(lane, start + width, width, load, use, use_in_order);
  } else {
    use_in_order();
  }
}

/// The full rows from `start` on in batches of `rows`, the rest in ever smaller ones; returns where
/// the partial row starts.
template <std::int32_t rows, class Mp, class Lane, class Load, class Use>
AGPUSIM_FN std::int32_t stream_batches(Mp& mp, const Lane& lane, std::int32_t start,
                                       std::int32_t count, std::int32_t width, Load& load,
                                       Use& use) {
  auto turns = mp.turns();
  for (; count - start >= rows * width; start += rows * width) {
    start = turns.next(start, count, rows * width);
    stream_rows<rows>(lane, start, width, load, use, [] {});
  }
  if constexpr (rows > 1) {
    return stream_batches<rows / 2>(mp, lane, start, count, width, load, use);
  } else {
    return start;
  }
}

}  // namespace detail

/// `use(i, load(i))` for every i in [0, count), where `load` reads global memory: the loads of
/// `rows` rows, a power of two, are issued before the first is used, so that their latencies
/// overlap; of the remaining rows those of half as many, and so on. Rows are used in order and must
/// not depend on each other's memory. Costs what for_lanes costs.
template <std::int32_t rows = rows_in_flight, class Mp, class Load, class Use>
AGPUSIM_FN void stream_lanes(Mp& mp, std::int32_t count, Load load, Use use) {
  const auto lane = mp.lane();
  const std::int32_t width = mp.width();
  const std::int32_t start = detail::stream_batches<rows>(mp, lane, 0, count, width, load, use);
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
