#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/algorithms/scan/methods.hpp"
#include "agpusim/model/loop.hpp"

// Kernels on one chunk that the algorithms in memory do not have.
namespace agpusim::out_of_core {

/// out[i] = f(in[i]).
template <class F>
struct MapElements {
  static constexpr const char* name = "map_elements";
  static constexpr bool oblivious = true;

  Cut cut;
  F f;

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t first = segments.first(mp.task());
    const In from = in.from(first);
    const Out to = out.from(first);
    stream_lanes(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) { return from.read(i); },
        [&](const auto& i, const auto& x) { to.write(i, f(x)); });
  }
};

/// The exclusive scan of a chunk's partial results, in place, by one task, from what lies before
/// the chunk: element 0 of `carry`, which becomes what lies before the next chunk.
template <class Operator>
struct CarryPartials {
  using T = typename Operator::value_type;
  static constexpr const char* name = "carry_partials";
  static constexpr bool oblivious = true;

  std::int64_t count;  ///< partial results
  scan::LaneSerial method;

  [[nodiscard]] std::int64_t shared_bytes() const { return method.template shared_bytes<T>(); }

  template <class Mp, class Partials, class Carry>
  AGPUSIM_FN void operator()(Mp& mp, Partials partials, Carry carry) const {
    const auto before = carry.read(mp.varying(std::int32_t{0}));
    const auto total = method.template scan<Operator>(mp, scan::Kind::exclusive, partials, partials,
                                                      count, before);
    const auto lane = mp.lane();
    mp.when(lane == 0, [&] { carry.write(lane, total); });
  }
};

/// Combines `before[at]` with every element of a chunk from the left, in place.
template <class Operator>
struct CombineBefore {
  static constexpr const char* name = "combine_before";
  static constexpr bool oblivious = true;

  Cut cut;
  std::int64_t at;

  template <class Mp, class Before, class Data>
  AGPUSIM_FN void operator()(Mp& mp, Before before, Data data) const {
    const Operator combine;
    const Segments segments = cut.segments(mp);
    const Data segment = data.from(segments.first(mp.task()));
    const auto left = before.from(at).read(mp.varying(std::int32_t{0}));
    stream_lanes(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) { return segment.read(i); },
        [&](const auto& i, const auto& x) { segment.write(i, combine(left, x)); });
  }
};

/// window[index[i] - first] = in[i] where that is in the window; indices outside 0..n-1 are counted
/// in element 0 of `bad`.
struct ScatterToWindow {
  static constexpr const char* name = "scatter_to_window";

  Cut cut;
  std::int64_t first;  ///< index of the window's begin
  std::int64_t size;   ///< places of the window
  std::int64_t n;

  template <class Mp, class Index, class In, class Window, class Bad>
  AGPUSIM_FN void operator()(Mp& mp, Index index, In in, Window window, Bad bad) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t start = segments.first(mp.task());
    const Index index_from = index.from(start);
    const In from = in.from(start);
    const auto one = mp.varying(std::int32_t{1});
    const auto zero = mp.varying(std::int32_t{0});
    stream_lanes(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) {
          return LoadedPair{index_from.read(i), from.read(i)};
        },
        [&](const auto&, const auto& loaded) {
          const auto at = cast<std::int64_t>(loaded.first);
          const auto place = at - first;
          mp.when(place >= 0 && place < size,
                  [&] { window.write(cast<std::int32_t>(place), loaded.second); });
          mp.when(at < 0 || at >= n, [&] { bad.atomic_add(zero, one); });
        });
  }
};

}  // namespace agpusim::out_of_core
