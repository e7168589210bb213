#pragma once

#include <cstdint>

#include "agpusim/algorithms/segments.hpp"
#include "agpusim/model/loop.hpp"

// Reduce-then-scan on AGPU (theory 3.8): every task reduces its segment; one task scans the partial
// results; every task scans its segment again, starting from what lies before it.
namespace agpusim::scan {

/// Which prefix element i receives.
enum class Kind : std::uint8_t {
  inclusive,  ///< the fold of elements 0..i
  exclusive,  ///< the fold of elements 0..i-1
};

/// Rows of a tile whose loads are under way together.
inline constexpr std::int32_t tile_rows_in_flight = 8;

/// How a segment passes through shared memory: in tiles of V·c elements, lane i folding the c
/// neighbours i·c, ..., i·c+c-1 (c odd: no bank conflict when b is a power of two).
struct TileShape {
  std::int32_t width;     ///< V
  std::int32_t per_lane;  ///< c

  template <class T>
  [[nodiscard]] std::int64_t shared_bytes() const {
    return (std::int64_t{width} * per_lane + 2 * width) * std::int64_t{sizeof(T)};
  }
};

/// `mine` of every lane becomes the fold of all lanes up to it (Kogge and Stone 1973), by way of
/// two halves of `sums`, which takes turns; returns the half that holds the result. Ends without
/// sync.
template <class Operator, class Mp, class Sums, class Value>
AGPUSIM_FN std::int32_t scan_lanes(Mp& mp, const Sums& sums, Value& mine) {
  const Operator combine;
  const auto lane = mp.lane();
  const std::int32_t width = mp.width();
  std::int32_t half = 0;
  sums.write(lane, mine);
  for (std::int32_t distance = 1; distance < width; distance *= 2) {
    mp.sync();
    mp.when(lane >= distance, [&] { mine = combine(sums.read(lane + (half - distance)), mine); });
    half = width - half;
    sums.write(lane + half, mine);
  }
  return half;
}

/// Scans `length` elements from `in` to `out` (which may be the same), `carry` being the fold of
/// everything before them, the same in all lanes.
template <class Operator, class Mp, class In, class Out, class Value>
AGPUSIM_FN void scan_segment(Mp& mp, const TileShape& shape, Kind kind, const In& in,
                             const Out& out, std::int64_t length, Value carry) {
  using T = typename Operator::value_type;
  const Operator combine;
  const auto lane = mp.lane();
  const std::int32_t tile_size = shape.width * shape.per_lane;
  const auto tile = mp.template shared<T>(tile_size, "tile");
  const auto sums = mp.template shared<T>(2 * shape.width, "sums");
  const auto own = lane * shape.per_lane;
  for (std::int64_t start = 0; start < length; start += tile_size) {
    const std::int64_t rest = length - start;
    const std::int32_t count = rest < tile_size ? static_cast<std::int32_t>(rest) : tile_size;
    const In from = in.from(start);
    const Out to = out.from(start);
    mp.sync();
    stream_lanes<tile_rows_in_flight>(
        mp, count, [&](const auto& i) { return from.read(i); },
        [&](const auto& i, const auto& x) { tile.write(i, x); });
    mp.sync();
    // A whole tile needs no comparison.
    const auto for_own = [&](const auto& body) {
      for (std::int32_t j = 0; j < shape.per_lane; ++j) {
        const auto i = own + j;
        if (count == tile_size) {
          body(i);
        } else {
          mp.when(i < count, [&] { body(i); });
        }
      }
    };
    auto fold = mp.varying(Operator::identity);
    for_own([&](const auto& i) { fold = combine(fold, tile.read(i)); });
    const std::int32_t half = scan_lanes<Operator>(mp, sums, fold);
    mp.sync();
    auto prefix = carry;
    mp.when(lane >= 1, [&] { prefix = combine(carry, sums.read(lane + (half - 1))); });
    carry = combine(carry, sums.read(mp.varying(half + shape.width - 1)));
    for_own([&](const auto& i) {
      const auto next = combine(prefix, tile.read(i));
      tile.write(i, kind == Kind::inclusive ? next : prefix);
      prefix = next;
    });
    mp.sync();
    for_lanes(mp, count, [&](const auto& i) { to.write(i, tile.read(i)); });
  }
}

/// The exclusive scan of the partial results, in place, by one task: they become what lies before
/// each segment, `init` included.
template <class Operator>
struct ScanPartials {
  using T = typename Operator::value_type;
  static constexpr const char* name = "scan_partials";

  std::int64_t count;  ///< partial results
  TileShape shape;
  T init;

  [[nodiscard]] std::int64_t shared_bytes() const { return shape.shared_bytes<T>(); }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View partials) const {
    scan_segment<Operator>(mp, shape, Kind::exclusive, partials, partials, count, mp.varying(init));
  }
};

/// The scan of every segment, from element `task` of `before` on.
template <class Operator>
struct ScanSegments {
  using T = typename Operator::value_type;
  static constexpr const char* name = "scan_segments";

  Cut cut;
  TileShape shape;
  Kind kind;

  [[nodiscard]] std::int64_t shared_bytes() const { return shape.shared_bytes<T>(); }

  template <class Mp, class In, class Before, class Out, class... Length>
  AGPUSIM_FN void operator()(Mp& mp, In in, Before before, Out out, Length... view) const {
    const Segments segments = cut.segments(mp, view...);
    const std::int64_t first = segments.first(mp.task());
    const std::int64_t length = segments.length(mp.task());
    if (length == 0) return;
    const auto carry = before.from(mp.task()).read(mp.varying(std::int32_t{0}));
    scan_segment<Operator>(mp, shape, kind, in.from(first), out.from(first), length, carry);
  }
};

}  // namespace agpusim::scan
