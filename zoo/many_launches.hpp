#pragma once

#include "common.hpp"

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
