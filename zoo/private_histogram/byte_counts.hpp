#pragma once

#include "../common.hpp"

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

}  // namespace zoo
