#pragma once

#include "../common.hpp"

namespace zoo {

/// How far the nearest other element is: every lane looks at all elements.
struct Closest {
  static constexpr const char* name = "closest";
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      const auto mine = in.read(i);
      auto least = mp.varying(0xffffffffu);
      for (std::int32_t j = 0; j < n; ++j) {
        const auto other = in.read(mp.varying(j));
        const auto gap = agpusim::max(mine, other) - agpusim::min(mine, other);
        least = agpusim::select(i == j, least, agpusim::min(least, gap));
      }
      out.write(i, least);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm closest() {
  const auto program = each_lane<Closest>("gaps");
  const auto reference = [](const auto& in) {
    std::vector<std::uint32_t> gaps(in.size(), 0xffffffffu);
    for (std::size_t i = 0; i < in.size(); ++i) {
      for (std::size_t j = 0; j < in.size(); ++j) {
        if (i != j) gaps[i] = std::min(gaps[i], std::max(in[i], in[j]) - std::min(in[i], in[j]));
      }
    }
    return gaps;
  };
  auto row = row_of<std::uint32_t>("closest", "the distance to the nearest other element", program,
                                   reference);
  row.time = quadratic_time();
  return row;
}

}  // namespace zoo
