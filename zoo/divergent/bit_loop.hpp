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
  const auto program = each_lane<BitLoop>("ones");
  const auto reference = each_element(
      [](std::uint32_t x) { return static_cast<std::uint32_t>(agpusim::popcount(x)); });
  return row_of<std::uint32_t>("bit_loop", "the ones of each element, by a loop", program,
                               reference, io_of("2n/b", 2));
}

}  // namespace zoo
