#pragma once

#include "../common.hpp"

namespace zoo {

/// Counts the ones of each element: a loop that clears the lowest one.
struct BitLoop {
  static constexpr const char* name = "bit_loop";
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto x = in.read(i);
      auto ones = mp.varying(0u);
      mp.while_any([&] { return x != 0u; },
                   [&] {
                     x = x & (x - 1u);
                     ones = ones + 1u;
                   });
      out.write(i, ones);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm bit_loop() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.n(), "ones");
    run.launch(run.tasks_of(run.width()), BitLoop{length(run)}, in, out);
    run.result(out);
  };
  const auto reference = [](auto x) {
    for (auto& one : x) one = static_cast<std::uint32_t>(agpusim::popcount(one));
    return x;
  };
  auto row =
      row_of<std::uint32_t>("bit_loop", "the ones of each element, by a loop", program, reference);
  row.io = io_of("2n/b", 2);
  return row;
}

}  // namespace zoo
