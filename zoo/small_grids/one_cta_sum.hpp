#pragma once

#include "../common.hpp"

namespace zoo {

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

}  // namespace zoo
