#pragma once

#include "../common.hpp"

namespace zoo {

/// The means of x[i] and y[i], `count` elements a lane, V apart.
template <std::int32_t count>
struct MidpointApart {
  static constexpr const char* name = "midpoint_apart";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View x, View y, View out) const {
    const auto first = mp.lane() + static_cast<std::int32_t>(mp.task()) * count * mp.width();
    for (std::int32_t k = 0; k < count; ++k) {
      const auto i = first + k * mp.width();
      mp.when(i < n, [&] { out.write(i, (x.read(i) + y.read(i)) * 0.5F); });
    }
  }
};

/// The means of x[i] and y[i], 4 neighbours a lane, 16 bytes at once; the last takes what is left.
struct MidpointWide {
  static constexpr const char* name = "midpoint_wide";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View x, View y, View out) const {
    const auto i = global_index(mp) * 4;
    mp.when(i + 3 < n, [&] {
      auto a = x.template read_wide<4>(i);
      const auto b = y.template read_wide<4>(i);
      for (std::int32_t k = 0; k < 4; ++k) a[k] = (a[k] + b[k]) * 0.5F;
      out.write_wide(i, a);
    });
    const std::int32_t left = n % 4;
    mp.when(i == n - left, [&] {
      for (std::int32_t k = 0; k < left; ++k) {
        out.write(i + k, (x.read(i + k) + y.read(i + k)) * 0.5F);
      }
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm midpoint() {
  const auto program = [](auto& run) {
    const std::int64_t V = run.width();
    const std::int32_t n = length(run);
    const auto x = run.input();
    const auto y = run.upload(run.n(), "y", [n] { return numbers(n); });
    const auto out = run.array(run.n(), "out");
    if (run.variant() == "one") run.launch(run.tasks_of(V), MidpointApart<1>{n}, x, y, out);
    if (run.variant() == "four") run.launch(run.tasks_of(4 * V), MidpointApart<4>{n}, x, y, out);
    if (run.variant() == "wide") run.launch(run.tasks_of(4 * V), MidpointWide{n}, x, y, out);
    run.result(out);
  };
  const auto reference = [](auto x) {
    const auto y = numbers(static_cast<std::int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = (x[i] + y[i]) * 0.5F;
    return x;
  };
  auto row = row_of<float>("midpoint", "the means of two arrays", program, reference);
  row.variants = {variant("one", "an element a lane"),
                  variant("four", "4 elements a lane, V apart"),
                  variant("wide", "4 neighbours a lane, in one access")};
  row.io = io_of("3n/b", 3);
  return row;
}

}  // namespace zoo
