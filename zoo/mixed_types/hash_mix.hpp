#pragma once

#include "../common.hpp"

namespace zoo {

/// Mixes the bits of 64-bit words, as the end of MurmurHash3 does; of lanes or scalars.
template <class V>
[[nodiscard]] AGPUSIM_FN V mixed(V x) {
  x = (x ^ (x >> 33)) * std::uint64_t{0xff51afd7ed558ccd};
  x = (x ^ (x >> 33)) * std::uint64_t{0xc4ceb9fe1a85ec53};
  return x ^ (x >> 33);
}

struct HashMix {
  static constexpr const char* name = "hash_mix";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { out.write(i, mixed(in.read(i))); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm hash_mix() {
  const auto program = each_lane<HashMix>("out");
  const auto reference = each_element([](std::uint64_t x) { return mixed(x); });
  return row_of<std::uint64_t>("hash_mix", "mixes the bits of 64-bit words", program, reference,
                               io_of("4n/b", 4));
}

}  // namespace zoo
