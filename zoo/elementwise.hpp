#pragma once

#include "common.hpp"

namespace zoo {

/// Each element, but at least `low` and at most `high`.
struct Clamp {
  static constexpr const char* name = "clamp";
  static constexpr bool oblivious = true;
  std::int32_t n;
  std::int32_t low = -1'000'000'000;
  std::int32_t high = 500'000'000;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { out.write(i, agpusim::max(agpusim::min(in.read(i), high), low)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm clamp() {
  const auto program = each_lane<Clamp>("out");
  const auto reference = [](auto x) {
    const Clamp range{0};
    for (auto& one : x) one = std::clamp(one, range.low, range.high);
    return x;
  };
  return row_of<std::int32_t>("clamp", "each element, held in a range", program, reference,
                              io_of("2n/b", 2));
}

/// A cubic polynomial of each element.
struct Polynomial {
  static constexpr const char* name = "polynomial";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      const auto x = in.read(i);
      out.write(i, ((x * 0.5F - 1.25F) * x + 3.0F) * x - 0.75F);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm polynomial() {
  const auto program = each_lane<Polynomial>("out");
  const auto reference =
      each_element([](float x) { return ((x * 0.5F - 1.25F) * x + 3.0F) * x - 0.75F; });
  return row_of<float>("polynomial", "a cubic polynomial of each element", program, reference,
                       io_of("2n/b", 2));
}

/// y = 2.5 x + y.
struct Saxpy {
  static constexpr const char* name = "saxpy";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View x, View y) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { y.write(i, x.read(i) * 2.5F + y.read(i)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm saxpy() {
  const auto program = [](auto& run) {
    const auto x = run.input();
    const auto y = run.upload(run.n(), "y", [n = run.n()] { return numbers(n); });
    run.launch(run.tasks_of(run.width()), Saxpy{length(run)}, x, y);
    run.result(y);
  };
  const auto reference = [](const auto& x) {
    auto y = numbers(static_cast<std::int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] * 2.5F + y[i];
    return y;
  };
  return row_of<float>("saxpy", "y = 2.5 x + y", program, reference, io_of("3n/b", 3));
}

}  // namespace zoo
