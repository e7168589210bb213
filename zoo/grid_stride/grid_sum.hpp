#pragma once

#include "../common.hpp"

namespace zoo {

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
