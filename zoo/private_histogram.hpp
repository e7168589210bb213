#pragma once

#include "common.hpp"

namespace zoo {

/// How often each low byte occurs: one atomic in global memory for each element.
struct ByteCountsGlobal {
  static constexpr const char* name = "byte_counts_global";
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View counts) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      counts.atomic_add(agpusim::cast<std::int32_t>(in.read(i) & 255u), mp.varying(1u));
    });
  }
};

/// How often each low byte occurs, in `copies` rows of shared memory: lane i uses row i mod copies.
struct ByteCountsShared {
  static constexpr const char* name = "byte_counts_shared";
  std::int32_t n;
  std::int32_t copies;

  [[nodiscard]] std::int64_t shared_bytes() const { return std::int64_t{1024} * copies; }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View counts) const {
    const auto rows = mp.template shared<std::uint32_t>(256 * copies, "rows");
    agpusim::for_lanes(mp, 256 * copies, [&](const auto& j) { rows.write(j, mp.varying(0u)); });
    mp.sync();
    const auto row = mp.lane() % copies * 256;
    for (std::int32_t k = 0; k < 16; ++k) {
      const auto i = mp.lane() + (static_cast<std::int32_t>(mp.task()) * 16 + k) * mp.width();
      mp.when(i < n, [&] {
        rows.atomic_add(row + agpusim::cast<std::int32_t>(in.read(i) & 255u), mp.varying(1u));
      });
    }
    mp.sync();
    agpusim::for_lanes(mp, 256, [&](const auto& byte) {
      auto sum = rows.read(byte);
      for (std::int32_t k = 1; k < copies; ++k) sum = sum + rows.read(byte + k * 256);
      counts.atomic_add(byte, sum);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm byte_counts() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto counts = run.upload(256, "counts", [] { return zeros(256); });
    const std::string& variant = run.variant();
    if (variant == "global") {
      run.launch(run.tasks_of(run.width()), ByteCountsGlobal{length(run)}, in, counts);
    } else {
      const std::int32_t copies = variant == "one" ? 1 : variant == "four" ? 4 : 16;
      run.launch(run.tasks_of(std::int64_t{16} * run.width()),
                 ByteCountsShared{length(run), copies}, in, counts);
    }
    run.result(counts);
  };
  const auto reference = [](const auto& in) {
    std::vector<std::uint32_t> counts(256, 0);
    for (const auto x : in) ++counts[x & 255u];
    return counts;
  };
  auto row =
      row_of<std::uint32_t>("byte_counts", "how often each low byte occurs", program, reference);
  row.variants = {variant("global", "atomics in global memory"),
                  variant("one", "a row of counters in shared memory"),
                  variant("four", "4 rows of counters"), variant("sixteen", "16 rows of counters")};
  row.io = io_of("n/b", 1);
  return row;
}

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
