#pragma once

#include <agpusim/agpusim.hpp>
#include <cstdint>

namespace examples {

/// x Phi(x) by the tanh of Hendrycks and Gimpel, arXiv 1606.08415; of lanes or scalars.
template <class V>
[[nodiscard]] AGPUSIM_FN V gelu_of(const V& x) {
  const V inner = (x * x * x * 0.044715F + x) * 0.797884561F;  // sqrt(2/pi)
  return (agpusim::tanh(inner) + 1.0F) * (x * 0.5F);
}

struct Gelu {
  static constexpr const char* name = "gelu";
  static constexpr bool oblivious = true;
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int64_t first = mp.task() * 4 * mp.width();  // first of the task's 4V elements
    const std::int64_t left = n - first;
    const auto count = left < 4 * mp.width() ? static_cast<std::int32_t>(left) : 4 * mp.width();
    agpusim::for_lanes(mp, count, [&](const auto& i) {
      out.from(first).write(i, gelu_of(in.from(first).read(i)));
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm gelu() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.n(), "out");
    run.launch(run.tasks_of(std::int64_t{4} * run.width()), Gelu{run.n()}, in, out);
    run.result(out);
  };
  const auto reference = [](auto numbers) {
    for (auto& x : numbers) x = gelu_of(x);
    return numbers;
  };
  auto row = agpusim::algorithm<float>("gelu", program, reference);
  row.summary = "x Phi(x), element by element";
  row.io = {"2n/b", [](const agpusim::RunConfig& run) {
              return 2.0 * static_cast<double>(run.n) / run.spec.block_words;
            }};
  return row;
}

}  // namespace examples
