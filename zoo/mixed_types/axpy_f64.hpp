#pragma once

#include "../common.hpp"

namespace zoo {

/// y = 2.5 x + y of 64-bit numbers.
struct AxpyF64 {
  static constexpr const char* name = "axpy_f64";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View x, View y) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { y.write(i, x.read(i) * 2.5 + y.read(i)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm axpy_f64() {
  const auto begin = [](std::int64_t n) {
    return vector_of(n, [](std::int64_t i) { return static_cast<double>(i % 1000) / 7; });
  };
  const auto program = [begin](auto& run) {
    const auto x = run.input();
    const auto y = run.upload(run.n(), "y", [=, n = run.n()] { return begin(n); });
    run.launch(run.tasks_of(run.width()), AxpyF64{length(run)}, x, y);
    run.result(y);
  };
  const auto reference = [begin](const auto& x) {
    auto y = begin(static_cast<std::int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] * 2.5 + y[i];
    return y;
  };
  return row_of<double>("axpy_f64", "y = 2.5 x + y of 64-bit numbers", program, reference,
                        io_of("6n/b", 6));
}

}  // namespace zoo
