#pragma once

#include "../common.hpp"

namespace zoo {

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
