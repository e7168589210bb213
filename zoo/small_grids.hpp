#pragma once

#include "common.hpp"

namespace zoo {

/// The largest element of each eighth of the array, a task for each; atomics in shared memory.
struct EightCtas {
  static constexpr const char* name = "eight_ctas";
  std::int32_t n;

  [[nodiscard]] std::int64_t shared_bytes() const { return 8; }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto largest = mp.template shared<std::uint32_t>(1, "largest");
    const auto lane = mp.lane();
    const std::int32_t share = (n + 7) / 8;
    const auto first = static_cast<std::int32_t>(mp.task()) * share;
    mp.when(lane == 0, [&] { largest.write(lane, mp.varying(0u)); });
    auto mine = mp.varying(0u);
    for (std::int32_t start = 0; start < share; start += mp.width()) {
      const auto i = lane + start;
      mp.when(i < share && i + first < n, [&] { mine = agpusim::max(mine, in.read(i + first)); });
    }
    mp.sync();
    largest.atomic_max(mp.varying(0), mine);
    mp.sync();
    mp.when(lane == 0,
            [&] { out.write(lane + static_cast<std::int32_t>(mp.task()), largest.read(lane)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm eight_ctas() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(8, "largest");
    run.launch(8, EightCtas{length(run)}, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& x) {
    std::vector<std::uint32_t> largest(8, 0);
    const std::size_t share = (x.size() + 7) / 8;
    for (std::size_t i = 0; i < x.size(); ++i)
      largest[i / share] = std::max(largest[i / share], x[i]);
    return largest;
  };
  return row_of<std::uint32_t>("eight_ctas", "the largest of each eighth, by eight tasks", program,
                               reference, io_of("n/b", 1));
}

/// The sum of n elements by one task.
struct OneCtaSum {
  static constexpr const char* name = "one_cta_sum";
  static constexpr bool oblivious = true;
  std::int32_t n;
  std::int32_t warps;

  [[nodiscard]] std::int64_t shared_bytes() const { return std::int64_t{4} * warps + 4; }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto tile = mp.template shared<std::uint32_t>(warps, "tile");
    const auto lane = mp.lane() % 32;
    auto sum = mp.varying(0u);
    for (std::int32_t first = 0; first < n; first += mp.width()) {
      const auto i = mp.lane() + first;
      mp.when(i < n, [&] { sum = sum + in.read(i); });
    }
    for (std::int32_t d = 16; d > 0; d /= 2) sum = sum + mp.shuffle(sum, lane ^ d);
    mp.when(lane == 0, [&] { tile.write(mp.lane() / 32, sum); });
    mp.sync();
    mp.when(mp.lane() == 0, [&] {
      auto total = tile.read(mp.lane());
      for (std::int32_t warp = 1; warp < warps; ++warp) total = total + tile.read(mp.varying(warp));
      out.write(mp.lane(), total);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm one_cta_sum() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(1, "sum");
    run.launch(1, OneCtaSum{length(run), run.width() / 32}, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& x) {
    return std::vector<std::uint32_t>{std::accumulate(x.begin(), x.end(), 0u)};
  };
  return row_of<std::uint32_t>("one_cta_sum", "the sum, by one task", program, reference,
                               io_of("n/b", 1));
}

/// Prefix sums of n elements by the first warp of one task, 32 at a time with a carry.
struct OneWarpScan {
  static constexpr const char* name = "one_warp_scan";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    mp.when(lane < 32, [&] {
      auto carry = mp.varying(0u);
      for (std::int32_t first = 0; first < n; first += 32) {
        const auto i = lane + first;
        auto sum = mp.varying(0u);
        mp.when(i < n, [&] { sum = in.read(i); });
        for (std::int32_t d = 1; d < 32; d *= 2) {
          const auto before = mp.shuffle(sum, agpusim::max(lane - d, 0));
          sum = agpusim::select(lane >= d, sum + before, sum);
        }
        sum = sum + carry;
        mp.when(i < n, [&] { out.write(i, sum); });
        carry = mp.shuffle(sum, mp.varying(31));
      }
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm one_warp_scan() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.n(), "sums");
    run.launch(1, OneWarpScan{length(run)}, in, out);
    run.result(out);
  };
  const auto reference = [](auto x) {
    std::partial_sum(x.begin(), x.end(), x.begin());
    return x;
  };
  return row_of<std::uint32_t>("one_warp_scan", "prefix sums, by one warp", program, reference,
                               io_of("2n/b", 2));
}

}  // namespace zoo
