#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/search.hpp"
#include "agpusim/model/fn.hpp"

namespace agpusim::sorted_search {

/// out[i] = the number of sorted keys below needle i: a lane for each needle, a binary search.
/// Where needles are sorted, the lanes of a warp probe neighbouring places.
struct SearchKeys {
  static constexpr const char* name = "search_keys";

  std::int32_t keys;
  std::int32_t needles;

  template <class Mp, class Keys, class Needles, class Out>
  AGPUSIM_FN void operator()(Mp& mp, Keys in, Needles wanted, Out out) const {
    const auto first = static_cast<std::int32_t>(mp.task()) * mp.width();
    const auto lane = mp.lane();
    mp.when(lane < needles - first, [&] {
      const auto needle = wanted.from(first).read(lane);
      out.from(first).write(
          lane, count_before(mp, in, keys, [&](const auto& key) { return key < needle; }));
    });
  }
};

}  // namespace agpusim::sorted_search
