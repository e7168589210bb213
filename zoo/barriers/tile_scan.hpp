#pragma once

#include "../common.hpp"

namespace zoo {

/// Prefix sums of V elements by Hillis and Steele, between two tiles in shared memory.
struct TileScan {
  static constexpr const char* name = "tile_scan";
  static constexpr bool oblivious = true;
  std::int32_t n;
  std::int64_t shared;

  [[nodiscard]] std::int64_t shared_bytes() const { return shared; }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int32_t V = mp.width();
    const auto tiles = mp.template shared<std::uint32_t>(2 * V, "tiles");
    const auto lane = mp.lane();
    const auto i = global_index(mp);
    auto sum = mp.varying(0u);
    mp.when(i < n, [&] { sum = in.read(i); });
    std::int32_t tile = 0;
    for (std::int32_t d = 1; d < V; d *= 2) {
      tiles.write(lane + tile, sum);
      mp.sync();
      mp.when(lane >= d, [&] { sum = sum + tiles.read(lane + (tile - d)); });
      tile = V - tile;
    }
    mp.when(i < n, [&] { out.write(i, sum); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm tile_scan() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.n(), "sums");
    run.launch(run.tasks_of(run.width()), TileScan{length(run), std::int64_t{8} * run.width()}, in,
               out);
    run.result(out);
  };
  const auto reference = [](auto x, const agpusim::RunConfig& run) {
    for (std::size_t i = 1; i < x.size(); ++i) {
      if (i % static_cast<std::size_t>(run.spec.width) != 0) x[i] += x[i - 1];
    }
    return x;
  };
  return row_of<std::uint32_t>("tile_scan", "prefix sums of each V elements", program, reference,
                               io_of("2n/b", 2));
}

}  // namespace zoo
