#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/element_of.hpp"
#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/model/loop.hpp"

// Reduction on AGPU (theory 3.8): every task folds its own contiguous segment and writes one
// partial result; the partials are reduced in the same way until one is left.
namespace agpusim::reduce {

/// Rows whose loads are under way together; 16 are slower on an H200.
inline constexpr std::int32_t segment_rows_in_flight = 8;

/// For a commutative operator: lane i folds the elements i, i+V, i+2V, ... of the segment, so that
/// every read is coalesced; then a tree over the lanes.
template <class Operator>
struct SegmentReduce {
  using T = typename Operator::value_type;
  static constexpr const char* name = "segment_reduce";
  static constexpr bool oblivious = true;

  Cut cut;
  std::int32_t width;  ///< V

  [[nodiscard]] std::int64_t shared_bytes() const { return width * std::int64_t{sizeof(T)}; }

  template <class Mp, class In, class Out, class... Length>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out, Length... length) const {
    const Operator combine;
    const Segments segments = cut.segments(mp, length...);
    const In segment = in.from(segments.first(mp.task()));
    auto sum = mp.varying(Operator::identity);
    stream_lanes<segment_rows_in_flight>(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) { return segment.read(i); },
        [&](const auto&, const auto& x) { sum = combine(sum, element_of(segment, x)); });

    const auto lane = mp.lane();
    const auto tree = mp.template shared<T>(width, "tree");
    tree.write(lane, sum);
    for (std::int32_t count = width; count > 1;) {
      const std::int32_t half = (count + 1) / 2;
      mp.sync();
      mp.when(lane < count - half, [&] {
        sum = combine(sum, tree.read(lane + half));
        tree.write(lane, sum);
      });
      count = half;
    }
    mp.when(lane == 0, [&] { out.from(mp.task()).write(lane, sum); });
  }
};

/// For any associative operator: the segment passes through shared memory in tiles of V·c elements,
/// read coalesced; lane i folds the c neighbours i·c, ..., i·c+c-1 (c odd: no bank conflict when b
/// is a power of two), then an ordered tree over the lanes, with a running value on the left.
template <class Operator>
struct OrderedSegmentReduce {
  using T = typename Operator::value_type;
  static constexpr const char* name = "ordered_segment_reduce";
  static constexpr bool oblivious = true;

  Cut cut;
  std::int32_t width;     ///< V
  std::int32_t per_lane;  ///< c, elements a lane folds of each tile

  [[nodiscard]] std::int64_t shared_bytes() const {
    return (std::int64_t{width} * per_lane + width) * std::int64_t{sizeof(T)};
  }

  template <class Mp, class In, class Out, class... Length>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out, Length... view) const {
    const Operator combine;
    const auto lane = mp.lane();
    const auto tile = tile_of<Operator>(mp, width * per_lane, "tile");
    const auto tree = tile_of<Operator>(mp, width, "tree");
    const Segments segments = cut.segments(mp, view...);
    const std::int64_t length = segments.length(mp.task());
    const std::int32_t tile_size = width * per_lane;
    auto total = identity_of<Operator>(mp);
    auto turns = mp.turns();
    for (std::int64_t start = 0; start < length; start += tile_size) {
      start = turns.next(start, length, tile_size);
      const std::int64_t rest = length - start;
      const std::int32_t count = rest < tile_size ? static_cast<std::int32_t>(rest) : tile_size;
      const In part = in.from(segments.first(mp.task()) + start);
      mp.sync();
      stream_lanes(
          mp, count, [&](const auto& i) { return part.read(i); },
          [&](const auto& i, const auto& x) { tile.write(i, element_of(part, x)); });
      mp.sync();
      auto sum = identity_of<Operator>(mp);
      const auto first = lane * per_lane;
      for (std::int32_t j = 0; j < per_lane; ++j) {
        const auto i = first + j;
        mp.when(i < count, [&] { sum = combine(sum, tile.read(i)); });
      }
      tree.write(lane, sum);
      for (std::int32_t distance = 1; distance < width; distance *= 2) {
        mp.sync();
        mp.when((lane & (2 * distance - 1)) == 0 && lane < width - distance, [&] {
          sum = combine(sum, tree.read(lane + distance));
          tree.write(lane, sum);
        });
      }
      mp.when(lane == 0, [&] { total = combine(total, sum); });
    }
    mp.when(lane == 0, [&] { out.from(mp.task()).write(lane, total); });
  }
};

}  // namespace agpusim::reduce
