#pragma once

#include "../common.hpp"

namespace zoo {

/// The probability that a normal number is below d: Abramowitz and Stegun, 26.2.17.
template <class V>
[[nodiscard]] AGPUSIM_FN V normal_below(const V& d) {
  const V size = agpusim::abs(d);
  const V k = 1.0F / (size * 0.2316419F + 1.0F);
  const V tail = ((((k * 1.330274F - 1.821256F) * k + 1.781478F) * k - 0.356564F) * k + 0.319382F) *
                 k * agpusim::exp(d * d * -0.5F) * 0.3989423F;
  return agpusim::select(d > 0.0F, 1.0F - tail, tail);
}
/// The price of a call on a share that costs 10 + 90 x: strike 50, a year, 2 % interest.
template <class V>
[[nodiscard]] AGPUSIM_FN V call_price(const V& x) {
  const V share = x * 90.0F + 10.0F;
  const V d = (agpusim::log(share * 0.02F) + 0.065F) / 0.3F;
  return share * normal_below(d) - normal_below(d - 0.3F) * 49.00993F;
}

struct BlackScholes {
  static constexpr const char* name = "black_scholes";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { out.write(i, call_price(in.read(i))); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm black_scholes() {
  const auto program = each_lane<BlackScholes>("prices");
  const auto reference = each_element([](float x) { return call_price(x); });
  auto row = row_of<float>("black_scholes", "prices of options", program, reference);
  row.inputs = {"uniform"};  // shares cost more than nothing
  row.io = io_of("2n/b", 2);
  return row;
}

}  // namespace zoo
