#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/model/loop.hpp"

namespace agpusim::scatter {

/// out[index[i]] = in[i] for every i; `index` is a permutation.
struct Scatter {
  static constexpr const char* name = "scatter";

  Cut cut;

  template <class Mp, class Index, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, Index index, In in, Out out) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t first = segments.first(mp.task());
    const Index index_from = index.from(first);
    const In from = in.from(first);
    stream_lanes(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) {
          return LoadedPair{index_from.read(i), from.read(i)};
        },
        [&](const auto&, const auto& loaded) { out.write(loaded.first, loaded.second); });
  }
};

}  // namespace agpusim::scatter
