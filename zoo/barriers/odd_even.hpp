#pragma once

#include "../common.hpp"

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

}  // namespace zoo
