#pragma once

#include "../common.hpp"

namespace zoo {

/// Steps along a random permutation until a lane is back where it began, at most `limit`.
struct CycleSteps {
  static constexpr const char* name = "cycle_steps";
  std::int32_t n;
  std::int32_t limit;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View next, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto at = next.read(i);
      auto steps = mp.varying(1);
      mp.while_any([&] { return at != i && steps < limit; },
                   [&] {
                     at = next.read(at);
                     steps = steps + 1;
                   });
      out.write(i, steps);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm cycle_steps() {
  const auto program = [](auto& run) {
    const auto next = run.upload(run.n(), "next", [n = run.n()] { return permutation(n); });
    const auto out = run.template array<std::int32_t>(run.n(), "steps");
    run.launch(run.tasks_of(run.width()), CycleSteps{length(run), setting(run, "limit")}, next,
               out);
    run.result(out);
  };
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    const auto n = static_cast<std::int64_t>(in.size());
    const auto next = permutation(n);
    const auto limit = static_cast<std::int32_t>(setting(run, "limit"));
    return vector_of(n, [&](std::int64_t i) {
      std::int32_t steps = 1;
      for (std::int32_t at = next[static_cast<std::size_t>(i)]; at != i && steps < limit; ++steps) {
        at = next[static_cast<std::size_t>(at)];
      }
      return steps;
    });
  };
  auto row = row_of<std::uint32_t>("cycle_steps", "steps along the cycles of a permutation",
                                   program, reference);
  row.parameters = {parameter("limit", "steps of a lane, at most", 32)};
  return row;
}

}  // namespace zoo
