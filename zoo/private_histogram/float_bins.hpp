#pragma once

#include "../common.hpp"

namespace zoo {

/// Counts numbers in 64 bins of [0, 1), the outer bins with all beyond; each warp has its own row.
struct FloatBins {
  static constexpr const char* name = "float_bins";
  std::int32_t n;
  std::int32_t warps;

  [[nodiscard]] std::int64_t shared_bytes() const { return std::int64_t{256} * warps; }

  template <class Mp, class View, class Counts>
  AGPUSIM_FN void operator()(Mp& mp, View in, Counts counts) const {
    const auto rows = mp.template shared<std::uint32_t>(64 * warps, "rows");
    const auto lane = mp.lane();
    rows.write(lane * 2, mp.varying(0u));
    rows.write(lane * 2 + 1, mp.varying(0u));
    mp.sync();
    for (std::int32_t k = 0; k < 8; ++k) {
      const auto i = lane + (static_cast<std::int32_t>(mp.task()) * 8 + k) * mp.width();
      mp.when(i < n, [&] {
        const auto place = agpusim::min(agpusim::max(in.read(i) * 64.0F, 0.0F), 63.0F);
        rows.atomic_add(lane / 32 * 64 + agpusim::cast<std::int32_t>(place), mp.varying(1u));
      });
    }
    mp.sync();
    for (std::int32_t bin = 0; bin < 64; bin += 32) {
      mp.when(lane < 32, [&] {
        auto sum = mp.varying(0u);
        for (std::int32_t row = 0; row < warps; ++row) sum = sum + rows.read(lane + bin + row * 64);
        counts.atomic_add(lane + bin, sum);
      });
    }
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm float_bins() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto counts = run.upload(64, "counts", [] { return zeros(64); });
    run.launch(run.tasks_of(std::int64_t{8} * run.width()),
               FloatBins{length(run), run.width() / 32}, in, counts);
    run.result(counts);
  };
  const auto reference = [](const auto& in) {
    std::vector<std::uint32_t> counts(64, 0);
    for (const float x : in) ++counts[static_cast<std::size_t>(std::clamp(x * 64.0F, 0.0F, 63.0F))];
    return counts;
  };
  return row_of<float>("float_bins", "numbers in 64 bins of [0, 1)", program, reference,
                       io_of("n/b", 1));
}

}  // namespace zoo
