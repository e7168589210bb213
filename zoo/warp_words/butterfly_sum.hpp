#pragma once

#include "../common.hpp"

namespace zoo {

/// Subtracts from each number the mean of its group of 32, which a butterfly of shuffles adds up.
struct ButterflySum {
  static constexpr const char* name = "butterfly_sum";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    const auto lane = mp.lane() % 32;
    auto x = mp.varying(0.0F);
    mp.when(i < n, [&] { x = in.read(i); });
    auto sum = x;
    for (std::int32_t d = 16; d > 0; d /= 2) sum = sum + mp.shuffle(sum, lane ^ d);
    mp.when(i < n, [&] { out.write(i, x - sum / 32.0F); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm butterfly_sum() {
  const auto program = each_lane<ButterflySum>("out");
  const auto reference = [](auto x) {
    for (std::size_t first = 0; first < x.size(); first += 32) {
      const std::size_t end = std::min(first + 32, x.size());
      std::vector<float> group(32, 0.0F);
      std::copy(&x[first], x.data() + end, group.begin());
      const float mean = butterfly(group) / 32.0F;
      for (std::size_t i = first; i < end; ++i) x[i] -= mean;
    }
    return x;
  };
  return row_of<float>("butterfly_sum", "numbers less the mean of their group of 32", program,
                       reference, io_of("2n/b", 2));
}

}  // namespace zoo
