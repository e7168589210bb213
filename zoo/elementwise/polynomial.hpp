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
  const auto program = each_lane<Polynomial>("out");
  const auto reference =
      each_element([](float x) { return ((x * 0.5F - 1.25F) * x + 3.0F) * x - 0.75F; });
  return row_of<float>("polynomial", "a cubic polynomial of each element", program, reference,
                       io_of("2n/b", 2));
}

}  // namespace zoo
