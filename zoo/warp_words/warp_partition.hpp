#pragma once

#include "../common.hpp"

namespace zoo {

/// Moves the odd elements of each group of 32 before the even ones, by a vote.
struct WarpPartition {
  static constexpr const char* name = "warp_partition";
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    const auto lane = mp.lane() % 32;
    auto key = mp.varying(0u);
    mp.when(i < n, [&] { key = in.read(i); });
    const auto odd = (key & 1u) == 1u;
    const auto votes = mp.vote(odd);
    const auto before = agpusim::popcount(votes & ((mp.varying(1u) << lane) - 1u));
    const auto place = agpusim::select(odd, before, agpusim::popcount(votes) + lane - before);
    mp.when(i < n, [&] { out.write(i - lane + place, key); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm warp_partition() {
  const auto program = each_lane<WarpPartition>("out");
  const auto reference = [](auto x) {
    for (std::size_t first = 0; first < x.size(); first += 32) {
      std::stable_partition(&x[first], x.data() + std::min(first + 32, x.size()),
                            [](std::uint32_t key) { return key % 2 == 1; });
    }
    return x;
  };
  return row_of<std::uint32_t>("warp_partition", "odd before even in groups of 32", program,
                               reference, io_of("2n/b", 2));
}

}  // namespace zoo
