#pragma once

#include "../common.hpp"

namespace zoo {

/// A step of Jacobi's iteration for heat on a rod, whose ends stay as they are.
struct JacobiStep {
  static constexpr const char* name = "jacobi_step";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      mp.when(
          i > 0 && i < n - 1, [&] { out.write(i, (in.read(i - 1) + in.read(i + 1)) * 0.5F); },
          [&] { out.write(i, in.read(i)); });
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm jacobi() {
  const auto program = [](auto& run) {
    auto from = run.upload(run.n(), "from", [n = run.n()] { return numbers(n); });
    auto to = run.array(run.n(), "to");
    for (std::int64_t step = 0; step < run.parameter("steps"); ++step) {
      run.launch(run.tasks_of(run.width()), JacobiStep{length(run)}, from, to);
      std::swap(from, to);
    }
    run.result(from);
  };
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    auto now = numbers(static_cast<std::int64_t>(in.size()));
    for (std::size_t step = 0; step < setting(run, "steps"); ++step) {
      const auto before = now;
      for (std::size_t i = 1; i + 1 < now.size(); ++i)
        now[i] = (before[i - 1] + before[i + 1]) * 0.5F;
    }
    return now;
  };
  auto row =
      row_of<float>("jacobi", "steps of Jacobi's iteration, a launch for each", program, reference);
  row.parameters = {parameter("steps", "launches", 20)};
  return row;
}

}  // namespace zoo
