#pragma once

#include "common.hpp"

namespace zoo {

/// How far the nearest other element is: every lane looks at all elements.
struct Closest {
  static constexpr const char* name = "closest";
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      const auto mine = in.read(i);
      auto least = mp.varying(0xffffffffu);
      for (std::int32_t j = 0; j < n; ++j) {
        const auto other = in.read(mp.varying(j));
        const auto gap = agpusim::max(mine, other) - agpusim::min(mine, other);
        least = agpusim::select(i == j, least, agpusim::min(least, gap));
      }
      out.write(i, least);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm closest() {
  const auto program = each_lane<Closest>("gaps");
  const auto reference = [](const auto& in) {
    std::vector<std::uint32_t> gaps(in.size(), 0xffffffffu);
    for (std::size_t i = 0; i < in.size(); ++i) {
      for (std::size_t j = 0; j < in.size(); ++j) {
        if (i != j) gaps[i] = std::min(gaps[i], std::max(in[i], in[j]) - std::min(in[i], in[j]));
      }
    }
    return gaps;
  };
  auto row = row_of<std::uint32_t>("closest", "the distance to the nearest other element", program,
                                   reference);
  row.time = quadratic_time();
  return row;
}

/// out[i] = sum of filter[k] in[i + k], where in is 0 beyond its end. All lanes read one tap.
struct Convolution {
  static constexpr const char* name = "convolution";
  std::int32_t n;
  std::int32_t taps;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View filter, View out) const {
    const auto i = global_index(mp);
    auto sum = mp.varying(0.0F);
    for (std::int32_t k = 0; k < taps; ++k) {
      const auto tap = filter.read(mp.varying(k));
      mp.when(i + k < n, [&] { sum = sum + tap * in.read(i + k); });
    }
    mp.when(i < n, [&] { out.write(i, sum); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm convolution() {
  const auto program = [](auto& run) {
    const std::int64_t taps = run.parameter("taps");
    const auto in = run.input();
    const auto filter = run.upload(taps, "filter", [taps] { return numbers(taps); });
    const auto out = run.array(run.n(), "out");
    run.launch(run.tasks_of(run.width()), Convolution{length(run), setting(run, "taps")}, in,
               filter, out);
    run.result(out);
  };
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    const auto filter = numbers(run.parameters.at("taps"));
    std::vector<float> out(in.size(), 0.0F);
    for (std::size_t i = 0; i < in.size(); ++i) {
      for (std::size_t k = 0; k < filter.size() && i + k < in.size(); ++k) {
        out[i] += filter[k] * in[i + k];
      }
    }
    return out;
  };
  auto row = row_of<float>("convolution", "convolution with a short filter", program, reference);
  row.parameters = {parameter("taps", "numbers of the filter", 24)};
  return row;
}

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
