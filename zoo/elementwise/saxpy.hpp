#pragma once

#include "../common.hpp"

namespace zoo {

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
