#pragma once

#include "../common.hpp"

namespace zoo {

/// y = x / 4 + y, in place.
struct AxpyStep {
  static constexpr const char* name = "axpy_step";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View x, View y) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { y.write(i, x.read(i) * 0.25F + y.read(i)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm axpy_steps() {
  const auto program = [](auto& run) {
    const auto x = run.input();
    const auto y = run.upload(run.n(), "y", [n = run.n()] { return numbers(n); });
    for (std::int64_t step = 0; step < run.parameter("steps"); ++step) {
      run.launch(run.tasks_of(run.width()), AxpyStep{length(run)}, x, y);
    }
    run.result(y);
  };
  const auto reference = [](const auto& x, const agpusim::RunConfig& run) {
    auto y = numbers(static_cast<std::int64_t>(x.size()));
    for (std::size_t step = 0; step < setting(run, "steps"); ++step) {
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] * 0.25F + y[i];
    }
    return y;
  };
  auto row = row_of<float>("axpy_steps", "y = x / 4 + y again and again", program, reference);
  row.parameters = {parameter("steps", "launches", 16)};
  return row;
}

}  // namespace zoo
