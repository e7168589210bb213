#pragma once

#include "../common.hpp"

namespace zoo {

/// x to the power 65537 modulo the prime 2^31 - 1, by squares of 64 bits; of lanes or scalars.
template <class V>
[[nodiscard]] AGPUSIM_FN V power_of(const V& x) {
  V power = x % std::uint64_t{2147483647};
  const V base = power;
  for (std::int32_t k = 0; k < 16; ++k) power = power * power % std::uint64_t{2147483647};
  return power * base % std::uint64_t{2147483647};
}

struct ModularPower {
  static constexpr const char* name = "modular_power";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      const auto power = power_of(agpusim::cast<std::uint64_t>(in.read(i)));
      out.write(i, agpusim::cast<std::uint32_t>(power));
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm modular_power() {
  const auto program = each_lane<ModularPower>("powers");
  const auto reference = each_element(
      [](std::uint32_t x) { return static_cast<std::uint32_t>(power_of(std::uint64_t{x})); });
  return row_of<std::uint32_t>("modular_power", "powers modulo a prime", program, reference,
                               io_of("2n/b", 2));
}

}  // namespace zoo
