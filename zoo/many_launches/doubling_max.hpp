#pragma once

#include "../common.hpp"

namespace zoo {

/// Largest elements of windows of twice the length.
struct DoublingMax {
  static constexpr const char* name = "doubling_max";
  std::int32_t n;
  std::int32_t distance;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      const auto other = agpusim::min(i + distance, n - 1);
      out.write(i, agpusim::max(in.read(i), in.read(other)));
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm doubling_max() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    auto from = run.array(run.n(), "from");
    auto to = run.array(run.n(), "to");
    const std::int64_t tasks = run.tasks_of(run.width());
    run.launch(tasks, DoublingMax{length(run), 1}, in, from);
    for (std::int64_t distance = 2; distance < run.n(); distance *= 2) {
      run.launch(tasks, DoublingMax{length(run), static_cast<std::int32_t>(distance)}, from, to);
      std::swap(from, to);
    }
    run.result(from);
  };
  const auto reference = [](auto x) {
    for (std::size_t i = x.size() - 1; i > 0; --i) x[i - 1] = std::max(x[i - 1], x[i]);
    return x;
  };
  return row_of<std::uint32_t>(
      "doubling_max", "the largest from each element to the end, by doubling", program, reference);
}

}  // namespace zoo
