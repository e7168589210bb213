#pragma once

#include "../common.hpp"

namespace zoo {

/// Steps of the Collatz sequence from the lowest 16 bits of x, plus 1, down to 1.
struct CollatzSteps {
  static constexpr const char* name = "collatz_steps";
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto x = (in.read(i) & 0xffffu) + 1u;
      auto steps = mp.varying(0u);
      mp.while_any([&] { return x != 1u; },
                   [&] {
                     mp.when((x & 1u) == 0u, [&] { x = x >> 1; }, [&] { x = x * 3u + 1u; });
                     steps = steps + 1u;
                   });
      out.write(i, steps);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm collatz_steps() {
  const auto program = each_lane<CollatzSteps>("steps");
  const auto reference = each_element([](std::uint32_t x) {
    std::uint32_t steps = 0;
    for (x = x % 65536 + 1; x != 1; ++steps) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    return steps;
  });
  return row_of<std::uint32_t>("collatz_steps", "steps of Collatz sequences", program, reference,
                               io_of("2n/b", 2));
}

}  // namespace zoo
