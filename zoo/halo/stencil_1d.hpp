#pragma once

#include "../common.hpp"

namespace zoo {

/// The mean of an element and its neighbours up to `radius` away; the ends of the array repeat.
struct Stencil1dNaive {
  static constexpr const char* name = "stencil_1d_naive";
  std::int32_t n;
  std::int32_t radius;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto sum = mp.varying(0.0F);
      for (std::int32_t d = 0 - radius; d <= radius; ++d) {
        sum = sum + in.read(agpusim::min(agpusim::max(i + d, 0), n - 1));
      }
      out.write(i, sum / static_cast<float>(2 * radius + 1));
    });
  }
};

/// The mean of Stencil1dNaive from a tile in shared memory, with a halo on both sides.
struct Stencil1dTiled {
  static constexpr const char* name = "stencil_1d_tiled";
  std::int32_t n;
  std::int32_t radius;
  std::int32_t tile_size;  ///< V + 2 radius

  [[nodiscard]] std::int64_t shared_bytes() const { return std::int64_t{4} * tile_size; }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto tile = mp.template shared<float>(tile_size, "tile");
    const auto first = static_cast<std::int32_t>(mp.task() * mp.width()) - radius;
    for (std::int32_t start = 0; start < tile_size; start += mp.width()) {
      const auto j = mp.lane() + start;
      mp.when(j < tile_size,
              [&] { tile.write(j, in.read(agpusim::min(agpusim::max(j + first, 0), n - 1))); });
    }
    mp.sync();
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto sum = mp.varying(0.0F);
      for (std::int32_t d = 0; d <= 2 * radius; ++d) sum = sum + tile.read(mp.lane() + d);
      out.write(i, sum / static_cast<float>(2 * radius + 1));
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm stencil_1d() {
  const auto program = [](auto& run) {
    const std::int32_t radius = setting(run, "radius");
    const std::int64_t tasks = run.tasks_of(run.width());
    const auto in = run.input();
    const auto out = run.array(run.n(), "out");
    if (run.variant() == "tiled") {
      const std::int32_t tile_size = run.width() + 2 * radius;
      run.launch(tasks, Stencil1dTiled{length(run), radius, tile_size}, in, out);
    } else {
      run.launch(tasks, Stencil1dNaive{length(run), radius}, in, out);
    }
    run.result(out);
  };
  const auto reference = [](const auto& x, const agpusim::RunConfig& run) {
    const auto radius = static_cast<std::int64_t>(setting(run, "radius"));
    const auto n = static_cast<std::int64_t>(x.size());
    return vector_of(n, [&](std::int64_t i) {
      float sum = 0.0F;
      for (std::int64_t j = i - radius; j <= i + radius; ++j) {
        sum += x[static_cast<std::size_t>(std::clamp<std::int64_t>(j, 0, n - 1))];
      }
      return sum / static_cast<float>(2 * radius + 1);
    });
  };
  auto row =
      row_of<float>("stencil_1d", "the mean of an element and its neighbours", program, reference);
  row.variants = {variant("naive", "neighbours from global memory"),
                  variant("tiled", "neighbours from a tile in shared memory")};
  row.io = io_of("2n/b", 2);
  row.parameters = {parameter("radius", "neighbours on each side", 4)};
  return row;
}

}  // namespace zoo
