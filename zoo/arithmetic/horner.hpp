#pragma once

#include "../common.hpp"

namespace zoo {

/// A polynomial of degree 64 with the coefficients 1/(k + 1), by Horner's rule; of lanes or
/// scalars.
template <class V>
[[nodiscard]] AGPUSIM_FN V horner_of(const V& x, V sum) {
  for (std::int32_t k = 64; k >= 0; --k) {
    sum = agpusim::fma(sum, x, 1.0F / static_cast<float>(k + 1));
  }
  return sum;
}

struct Horner {
  static constexpr const char* name = "horner";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { out.write(i, horner_of(in.read(i), mp.varying(0.0F))); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm horner() {
  const auto program = each_lane<Horner>("out");
  const auto reference = each_element([](float x) { return horner_of(x, 0.0F); });
  auto row = row_of<float>("horner", "a polynomial of degree 64", program, reference);
  row.inputs = {"uniform"};  // powers of larger numbers overflow
  row.io = io_of("2n/b", 2);
  return row;
}

}  // namespace zoo
