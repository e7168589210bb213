#pragma once

#include "../common.hpp"

namespace zoo {

/// The squared distances of all pairs of points; coordinate k of point p lies at in[k points + p].
struct PairDistances {
  static constexpr const char* name = "pair_distances";
  std::int32_t points;
  std::int32_t dimensions;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto pair = global_index(mp);
    mp.when(pair < points * points, [&] {
      const auto p = pair / points;
      const auto q = pair % points;
      auto square = mp.varying(0.0F);
      for (std::int32_t k = 0; k < dimensions; ++k) {
        const auto off = in.read(p + k * points) - in.read(q + k * points);
        square = square + off * off;
      }
      out.write(pair, square);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm pair_distances() {
  const auto points_of = [](std::int64_t n) {
    return static_cast<std::int32_t>(std::min<std::int64_t>(side_of(n), n / 8));
  };
  const auto program = [points_of](auto& run) {
    const std::int32_t points = points_of(run.n());
    const std::int64_t pairs = std::int64_t{points} * points;
    const auto in = run.input();
    const auto out = run.array(pairs, "squares");
    run.launch(ceil_div(pairs, run.width()), PairDistances{points, 8}, in, out);
    run.result(out);
  };
  const auto reference = [points_of](const auto& in) {
    const auto points = static_cast<std::size_t>(points_of(static_cast<std::int64_t>(in.size())));
    std::vector<float> squares(points * points, 0.0F);
    for (std::size_t i = 0; i < squares.size(); ++i) {
      for (std::size_t k = 0; k < 8; ++k) {
        const float off = in[k * points + i / points] - in[k * points + i % points];
        squares[i] += off * off;
      }
    }
    return squares;
  };
  auto row = row_of<float>("pair_distances", "squared distances of all pairs of sqrt(n) points",
                           program, reference);
  row.min_n = 8;
  return row;
}

}  // namespace zoo
