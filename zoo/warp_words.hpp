#pragma once

#include "common.hpp"

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
