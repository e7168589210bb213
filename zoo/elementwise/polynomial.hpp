#pragma once

#include "../common.hpp"

namespace zoo {

/// A cubic polynomial of each element.
struct Polynomial {
  static constexpr const char* name = "polynomial";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      const auto x = in.read(i);
      out.write(i, ((x * 0.5F - 1.25F) * x + 3.0F) * x - 0.75F);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm polynomial() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.n(), "out");
    run.launch(run.tasks_of(run.width()), Polynomial{length(run)}, in, out);
    run.result(out);
  };
  const auto reference = [](auto numbers) {
    for (auto& x : numbers) x = ((x * 0.5F - 1.25F) * x + 3.0F) * x - 0.75F;
    return numbers;
  };
  auto row = row_of<float>("polynomial", "a cubic polynomial of each element", program, reference);
  row.io = io_of("2n/b", 2);
  return row;
}

}  // namespace zoo
