#pragma once

#include "common.hpp"

namespace zoo {

/// Sorts V elements by odd-even transposition in shared memory: V rounds, each with a barrier.
struct OddEven {
  static constexpr const char* name = "odd_even";
  std::int32_t n;
  std::int64_t shared;

  [[nodiscard]] std::int64_t shared_bytes() const { return shared; }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<std::uint32_t>(V, "tile");
    const auto lane = mp.lane();
    const auto i = global_index(mp);
    auto x = mp.varying(0xffffffffu);
    mp.when(i < n, [&] { x = in.read(i); });
    tile.write(lane, x);
    mp.sync();
    for (std::int32_t round = 0; round < V; ++round) {
      const auto left = lane * 2 + round % 2;
      mp.when(left + 1 < V, [&] {
        const auto a = tile.read(left);
        const auto b = tile.read(left + 1);
        mp.when(b < a, [&] {
          tile.write(left, b);
          tile.write(left + 1, a);
        });
      });
      mp.sync();
    }
    mp.when(i < n, [&] { out.write(i, tile.read(lane)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm odd_even() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.n(), "sorted");
    run.launch(run.tasks_of(run.width()), OddEven{length(run), std::int64_t{4} * run.width()}, in,
               out);
    run.result(out);
  };
  const auto reference = [](auto x, const agpusim::RunConfig& run) {
    const auto V = static_cast<std::size_t>(run.spec.width);
    for (std::size_t first = 0; first < x.size(); first += V) {
      std::sort(&x[first], x.data() + std::min(first + V, x.size()));
    }
    return x;
  };
  return row_of<std::uint32_t>("odd_even", "each V elements sorted by transpositions", program,
                               reference, io_of("2n/b", 2));
}

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
