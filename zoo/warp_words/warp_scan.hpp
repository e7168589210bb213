#pragma once

#include "../common.hpp"

namespace zoo {

/// Prefix sums in each group of 32 elements, by shuffles.
struct WarpScan {
  static constexpr const char* name = "warp_scan";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    const auto lane = mp.lane() % 32;
    auto sum = mp.varying(0u);
    mp.when(i < n, [&] { sum = in.read(i); });
    for (std::int32_t d = 1; d < 32; d *= 2) {
      const auto before = mp.shuffle(sum, agpusim::max(lane - d, 0));
      sum = agpusim::select(lane >= d, sum + before, sum);
    }
    mp.when(i < n, [&] { out.write(i, sum); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm warp_scan() {
  const auto program = each_lane<WarpScan>("sums");
  const auto reference = [](auto x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i % 32 != 0) x[i] += x[i - 1];
    }
    return x;
  };
  return row_of<std::uint32_t>("warp_scan", "prefix sums in groups of 32", program, reference,
                               io_of("2n/b", 2));
}

}  // namespace zoo
