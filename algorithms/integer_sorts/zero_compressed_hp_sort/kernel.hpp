#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/model/loop.hpp"

// The steps of the 0-compressed H-P sort between its histogram and its prefix sums (theory 3.5;
// arrays C, iC and Cp from 0 on).
namespace agpusim::zero_compressed_hp_sort {

/// A01[v] = 1 where A[v] > 0, else 0.
struct Binarize {
  static constexpr const char* name = "binarize";

  Cut cut;

  template <class Mp, class Counts, class Out>
  AGPUSIM_FN void operator()(Mp& mp, Counts counts, Out out) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t first = segments.first(mp.task());
    const Counts from = counts.from(first);
    const Out to = out.from(first);
    stream_lanes(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) { return from.read(i); },
        [&](const auto& i, const auto& count) { to.write(i, cast<std::int32_t>(count > 0)); });
  }
};

/// The values that occur, next to each other: for every v with A[v] > 0, C[A01p[v]-1] = A[v] and
/// iC[A01p[v]-1] = min + v.
struct Compress {
  static constexpr const char* name = "compress";

  Cut cut;  ///< segments of the values
  std::int32_t min_key;

  template <class Mp, class Counts, class Ranks, class Out>
  AGPUSIM_FN void operator()(Mp& mp, Counts counts, Ranks ranks, Out compressed, Out values) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t first = segments.first(mp.task());
    const Counts count_from = counts.from(first);
    const Ranks rank_from = ranks.from(first);
    const auto base = static_cast<std::int32_t>(min_key + first);
    stream_lanes(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) {
          return Loaded2{count_from.read(i), rank_from.read(i)};
        },
        [&](const auto& i, const auto& loaded) {
          mp.when(loaded.first > 0, [&] {
            const auto place = loaded.second - 1;
            compressed.write(place, loaded.first);
            values.write(place, i + base);
          });
        });
  }
};

/// B[Cp[j]] = iC[j] - iC[j-1] for every j < len, iC[-1] being 0: the prefix sums of B are the keys.
struct Expand {
  static constexpr const char* name = "expand";

  Cut cut;  ///< segments of the values that occur; the device knows their number

  template <class Mp, class Starts, class Values, class Out, class Length>
  AGPUSIM_FN void operator()(Mp& mp, Starts starts, Values values, Out out, Length length) const {
    const Segments segments = cut.segments(mp, length);
    const std::int64_t first = segments.first(mp.task());
    const Starts start_from = starts.from(first);
    const Values value_from = values.from(first);
    const auto zero = mp.varying(std::int32_t{0});
    with_previous(mp, values, first, zero, [&](const auto& previous) {
      stream_lanes(
          mp, static_cast<std::int32_t>(segments.length(mp.task())),
          [&](const auto& j) {
            return Loaded3{start_from.read(j), value_from.read(j), previous(j)};
          },
          [&](const auto&, const auto& loaded) {
            out.write(loaded.first, loaded.second - loaded.third);
          });
    });
  }
};

}  // namespace agpusim::zero_compressed_hp_sort
