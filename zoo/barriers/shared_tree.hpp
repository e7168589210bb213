#pragma once

#include "../common.hpp"

namespace zoo {

/// The sum of V elements by a tree in shared memory, with a barrier for each level.
struct SharedTree {
  static constexpr const char* name = "shared_tree";
  static constexpr bool oblivious = true;
  std::int32_t n;
  std::int64_t shared;

  [[nodiscard]] std::int64_t shared_bytes() const { return shared; }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View sums) const {
    const auto tile = mp.template shared<std::uint32_t>(mp.width(), "tile");
    const auto lane = mp.lane();
    const auto i = global_index(mp);
    auto x = mp.varying(0u);
    mp.when(i < n, [&] { x = in.read(i); });
    tile.write(lane, x);
    mp.sync();
    for (std::int32_t half = mp.width() / 2; half > 0; half /= 2) {
      mp.when(lane < half, [&] { tile.write(lane, tile.read(lane) + tile.read(lane + half)); });
      mp.sync();
    }
    const auto task = static_cast<std::int32_t>(mp.task());
    mp.when(lane == 0, [&] { sums.write(lane + task, tile.read(lane)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm shared_tree() {
  const auto program = [](auto& run) {
    const std::int64_t tasks = run.tasks_of(run.width());
    const auto in = run.input();
    const auto sums = run.array(tasks, "sums");
    run.launch(tasks, SharedTree{length(run), std::int64_t{4} * run.width()}, in, sums);
    run.result(sums);
  };
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    auto sums = zeros(ceil_div(run.n, run.spec.width));
    for (std::size_t i = 0; i < in.size(); ++i)
      sums[i / static_cast<std::size_t>(run.spec.width)] += in[i];
    return sums;
  };
  auto row = row_of<std::uint32_t>("shared_tree", "the sum of each V elements, by a tree", program,
                                   reference);
  row.io = io_of("n/b", 1);
  row.check = [warps = row.check](const agpusim::RunConfig& run) {
    warps(run);
    if ((run.spec.width & (run.spec.width - 1)) != 0) {
      throw agpusim::UsageError("halves of halves: choose a power of two for V");
    }
  };
  return row;
}

}  // namespace zoo
