#pragma once

#include "../common.hpp"

namespace zoo {

/// How often digit a is followed by digit b, of the lowest 4 bits of neighbours.
struct PairCounts {
  static constexpr const char* name = "pair_counts";
  std::int32_t n;

  [[nodiscard]] std::int64_t shared_bytes() const { return 1024; }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View counts) const {
    const auto table = mp.template shared<std::uint32_t>(256, "table");
    agpusim::for_lanes(mp, 256, [&](const auto& j) { table.write(j, mp.varying(0u)); });
    mp.sync();
    for (std::int32_t k = 0; k < 4; ++k) {
      const auto i = mp.lane() + (static_cast<std::int32_t>(mp.task()) * 4 + k) * mp.width();
      mp.when(i + 1 < n, [&] {
        const auto pair = (in.read(i) & 15u) * 16 + (in.read(i + 1) & 15u);
        table.atomic_add(agpusim::cast<std::int32_t>(pair), mp.varying(1u));
      });
    }
    mp.sync();
    agpusim::for_lanes(mp, 256, [&](const auto& j) {
      const auto count = table.read(j);
      mp.when(count != 0u, [&] { counts.atomic_add(j, count); });
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm pair_counts() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto counts = run.upload(256, "counts", [] { return zeros(256); });
    run.launch(run.tasks_of(std::int64_t{4} * run.width()), PairCounts{length(run)}, in, counts);
    run.result(counts);
  };
  const auto reference = [](const auto& in) {
    std::vector<std::uint32_t> counts(256, 0);
    for (std::size_t i = 0; i + 1 < in.size(); ++i) ++counts[in[i] % 16 * 16 + in[i + 1] % 16];
    return counts;
  };
  return row_of<std::uint32_t>("pair_counts", "how often one digit follows another", program,
                               reference, io_of("2n/b", 2));
}

}  // namespace zoo
