#pragma once

#include "../common.hpp"

namespace zoo {

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

}  // namespace zoo
