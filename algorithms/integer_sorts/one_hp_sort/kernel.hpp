#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/model/loop.hpp"

namespace agpusim::one_hp_sort {

/// Places the first key of every run of equal keys: y[Ap[v-1]] = min + v for every v with
/// Ap[v] != Ap[v-1] (theory 3.4). With `refuse_duplicates`, element 0 of `repeated` becomes the
/// smallest v that occurs more than once, if there is one.
template <bool refuse_duplicates>
struct PlaceRunHeads {
  static constexpr const char* name = "place_run_heads";

  Cut cut;  ///< segments of the prefix sums
  std::int32_t min_key;

  template <class Mp, class Prefixes, class Out, class Repeated>
  AGPUSIM_FN void operator()(Mp& mp, Prefixes prefixes, Out out, Repeated repeated) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t first = segments.first(mp.task());
    const Prefixes segment = prefixes.from(first);
    const auto base = static_cast<std::int32_t>(min_key + first);
    const auto zero = mp.varying(std::int32_t{0});
    with_previous(mp, prefixes, first, zero, [&](const auto& previous) {
      stream_lanes(
          mp, static_cast<std::int32_t>(segments.length(mp.task())),
          [&](const auto& i) {
            return Loaded2{segment.read(i), previous(i)};
          },
          [&](const auto& i, const auto& prefix) {
            const auto key = i + base;
            const auto count = prefix.first - prefix.second;
            mp.when(count != 0, [&] { out.write(prefix.second, key); });
            if constexpr (refuse_duplicates) {
              mp.when(count > 1, [&] { repeated.atomic_min(zero, key - min_key); });
            }
          });
    });
  }
};

/// Places every key x: y[Ap[x - min] - 1] = x. The tail that Kozakai calls equivalent, and found
/// slower: two accesses of a warp are scattered, where PlaceRunHeads has one.
struct PlaceKeys {
  static constexpr const char* name = "place_keys";

  Cut cut;  ///< segments of the keys
  std::int32_t min_key;

  template <class Mp, class In, class Prefixes, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Prefixes prefixes, Out out) const {
    const Segments segments = cut.segments(mp);
    const In segment = in.from(segments.first(mp.task()));
    stream_lanes(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) { return segment.read(i); },
        [&](const auto&, const auto& key) { out.write(prefixes.read(key - min_key) - 1, key); });
  }
};

}  // namespace agpusim::one_hp_sort
