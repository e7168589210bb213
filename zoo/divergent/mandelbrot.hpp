#pragma once

#include "../common.hpp"

namespace zoo {

/// Turns of z = z^2 + c until |z| > 2, at most `limit`, for the points c of a square image.
struct Mandelbrot {
  static constexpr const char* name = "mandelbrot";
  std::int32_t side;
  std::int32_t limit;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View out) const {
    const auto i = global_index(mp);
    const float step = 3.0F / static_cast<float>(side);
    mp.when(i < side * side, [&] {
      const auto cx = agpusim::cast<float>(i % side) * step - 2.0F;
      const auto cy = agpusim::cast<float>(i / side) * step - 1.5F;
      auto x = mp.varying(0.0F);
      auto y = mp.varying(0.0F);
      auto turns = mp.varying(0);
      mp.while_any([&] { return x * x + y * y <= 4.0F && turns < limit; },
                   [&] {
                     const auto next = x * x - y * y + cx;
                     y = x * y * 2.0F + cy;
                     x = next;
                     turns = turns + 1;
                   });
      out.write(i, turns);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm mandelbrot() {
  const auto program = [](auto& run) {
    const std::int32_t side = side_of(run.n());
    const std::int64_t points = std::int64_t{side} * side;
    const auto out = run.template array<std::int32_t>(points, "turns");
    run.launch(ceil_div(points, run.width()), Mandelbrot{side, setting(run, "limit")}, out);
    run.result(out);
  };
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    const std::int32_t side = side_of(static_cast<std::int64_t>(in.size()));
    const float step = 3.0F / static_cast<float>(side);
    const auto limit = static_cast<std::int32_t>(setting(run, "limit"));
    std::vector<std::int32_t> out;
    for (std::int32_t i = 0; i < side * side; ++i) {
      const float cx = static_cast<float>(i % side) * step - 2.0F;
      const float cy = static_cast<float>(i / side) * step - 1.5F;
      float x = 0.0F;
      float y = 0.0F;
      std::int32_t turns = 0;
      for (; x * x + y * y <= 4.0F && turns < limit; ++turns) {
        const float next = x * x - y * y + cx;
        y = x * y * 2.0F + cy;
        x = next;
      }
      out.push_back(turns);
    }
    return out;
  };
  auto row = row_of<std::uint32_t>("mandelbrot", "turns until a point escapes", program, reference);
  row.io = io_of("n/b", 1);
  row.parameters = {parameter("limit", "turns of a point, at most", 64)};
  return row;
}

}  // namespace zoo
