#pragma once

#include "common.hpp"

namespace zoo {

/// The sum of x[i] y[i]: a grid-stride loop, a sum of each warp, an atomic of its first lane.
struct Dot {
  static constexpr const char* name = "dot";
  std::int32_t n;
  std::int32_t tasks;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View x, View y, View out) const {
    const std::int32_t V = mp.width();
    auto sum = mp.varying(0u);
    for (auto first = static_cast<std::int32_t>(mp.task()) * V; first < n; first += tasks * V) {
      const auto i = mp.lane() + first;
      mp.when(i < n, [&] { sum = sum + x.read(i) * y.read(i); });
    }
    const auto lane = mp.lane() % 32;
    for (std::int32_t d = 16; d > 0; d /= 2) sum = sum + mp.shuffle(sum, lane ^ d);
    mp.when(lane == 0, [&] { out.atomic_add(mp.varying(0), sum); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm dot() {
  const auto program = [](auto& run) {
    const auto x = run.input();
    const auto y = run.upload(run.n(), "y", [n = run.n()] { return words(n); });
    const auto out = run.upload(1, "out", [] { return zeros(1); });
    const std::int64_t tasks = std::min(run.tasks_of(run.width()), run.parameter("tasks"));
    run.launch(tasks, Dot{length(run), static_cast<std::int32_t>(tasks)}, x, y, out);
    run.result(out);
  };
  const auto reference = [](const auto& x) {
    const auto y = words(static_cast<std::int64_t>(x.size()));
    return std::vector<std::uint32_t>{std::inner_product(x.begin(), x.end(), y.begin(), 0u)};
  };
  auto row = row_of<std::uint32_t>("dot", "the sum of products, modulo 2^32", program, reference);
  row.io = io_of("2n/b", 2);
  row.parameters = {parameter("tasks", "tasks of the launch, at most", 1056)};
  return row;
}

/// A copy by a fixed number of tasks, which stride over the array together.
struct GridCopy {
  static constexpr const char* name = "grid_copy";
  std::int32_t n;
  std::int32_t tasks;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    auto i = global_index(mp);
    mp.while_any([&] { return i < n; },
                 [&] {
                   out.write(i, in.read(i));
                   i = i + tasks * mp.width();
                 });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm grid_copy() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.n(), "out");
    const std::int64_t tasks = std::min(run.tasks_of(run.width()), run.parameter("tasks"));
    run.launch(tasks, GridCopy{length(run), static_cast<std::int32_t>(tasks)}, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& x) { return x; };
  auto row =
      row_of<std::uint32_t>("grid_copy", "a copy, by a grid-stride loop", program, reference);
  row.io = io_of("2n/b", 2);
  row.parameters = {parameter("tasks", "tasks of the launch, at most", 1056)};
  return row;
}

/// A sum of 64 bits: a grid-stride loop, atomics of the lanes in shared memory, one in global.
struct GridSum {
  static constexpr const char* name = "grid_sum";
  std::int32_t n;
  std::int32_t tasks;

  [[nodiscard]] std::int64_t shared_bytes() const { return 8; }

  template <class Mp, class View, class Total>
  AGPUSIM_FN void operator()(Mp& mp, View in, Total out) const {
    const auto total = mp.template shared<std::uint64_t>(1, "total");
    const auto lane = mp.lane();
    const auto zero = mp.varying(0);
    mp.when(lane == 0, [&] { total.write(zero, mp.varying(std::uint64_t{0})); });
    auto sum = mp.varying(std::uint64_t{0});
    auto i = global_index(mp);
    mp.while_any([&] { return i < n; },
                 [&] {
                   sum = sum + agpusim::cast<std::uint64_t>(in.read(i));
                   i = i + tasks * mp.width();
                 });
    mp.sync();
    total.atomic_add(zero, sum);
    mp.sync();
    mp.when(lane == 0, [&] { out.atomic_add(zero, total.read(zero)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm grid_sum() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.upload(1, "out", [] { return std::vector<std::uint64_t>{0}; });
    const std::int64_t tasks = std::min(run.tasks_of(run.width()), run.parameter("tasks"));
    run.launch(tasks, GridSum{length(run), static_cast<std::int32_t>(tasks)}, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& x) {
    return std::vector<std::uint64_t>{std::accumulate(x.begin(), x.end(), std::uint64_t{0})};
  };
  auto row = row_of<std::uint32_t>("grid_sum", "the sum in 64 bits", program, reference);
  row.io = io_of("n/b", 1);
  row.parameters = {parameter("tasks", "tasks of the launch, at most", 1056)};
  return row;
}

}  // namespace zoo
