#pragma once

#include "../common.hpp"

namespace zoo {

/// Each element, but at least `low` and at most `high`.
struct Clamp {
  static constexpr const char* name = "clamp";
  static constexpr bool oblivious = true;
  std::int32_t n;
  std::int32_t low = -1'000'000'000;
  std::int32_t high = 500'000'000;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { out.write(i, agpusim::max(agpusim::min(in.read(i), high), low)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm clamp() {
  const auto program = each_lane<Clamp>("out");
  const auto reference = [](auto x) {
    const Clamp range{0};
    for (auto& one : x) one = std::clamp(one, range.low, range.high);
    return x;
  };
  return row_of<std::int32_t>("clamp", "each element, held in a range", program, reference,
                              io_of("2n/b", 2));
}

}  // namespace zoo
