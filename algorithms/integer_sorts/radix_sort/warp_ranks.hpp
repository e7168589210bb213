#pragma once

#include <cstdint>

#include "agpusim/algorithms/integer_sorts/radix_sort/digit.hpp"
#include "agpusim/model/fn.hpp"
#include "agpusim/model/scalar.hpp"

// What the lanes of a warp find out together without shared memory.
namespace agpusim::radix_sort {

/// One bit for each lane of a warp.
template <class Mp>
[[nodiscard]] AGPUSIM_FN std::uint32_t whole_warp(Mp& mp) {
  return ~std::uint32_t{0} >> (32 - mp.warp_width());
}

/// The lanes of each lane's warp whose `digit` is its own, a bit each: a vote on every bit that a
/// digit can have. To leave out those that it has not would cost branches.
template <class Mp, class Lane>
[[nodiscard]] AGPUSIM_FN auto equal_lanes(Mp& mp, const Lane& digit) {
  auto equal = mp.varying(whole_warp(mp));
  AGPUSIM_UNROLL
  for (std::int32_t bit = 0; bit < most_digit_bits; ++bit) {
    const auto sign = digit << (31 - bit);
    const auto set = cast<std::uint32_t>(sign >> 31);  // all ones or all zeros
    equal = equal & (mp.vote(sign < 0) ^ set ^ ~std::uint32_t{0});
  }
  return equal;
}

/// The sum of `mine` over all lanes before each. `sums` has a word of the keys' type for each warp;
/// ends without sync.
template <class Mp, class Sums, class Lane>
[[nodiscard]] AGPUSIM_FN Lane sum_before(Mp& mp, const Sums& sums, const Lane& mine) {
  const auto lane = mp.lane();
  const std::int32_t b = mp.warp_width();
  const std::int32_t warps = mp.width() / b;
  const auto in_warp = lane % b;
  auto sum = mine;  // up to and with the lane
  for (std::int32_t distance = 1; distance < b; distance *= 2) {
    const auto other = mp.shuffle(sum, max(in_warp - distance, 0));
    sum = sum + select(in_warp >= distance, other, 0);
  }
  if (warps > 1) {
    const auto warp = lane / b;
    mp.when(in_warp == b - 1, [&] { sums.write(warp, cast<std::uint32_t>(sum)); });
    mp.sync();
    // From the last: CUDA's compiler would join reads from 0 on, but a read is one load.
    for (std::int32_t other = warps - 2; other >= 0; --other) {
      const auto of_other = cast<std::int32_t>(sums.read(mp.varying(other)));
      sum = sum + select(warp > other, of_other, 0);
    }
  }
  return sum - mine;
}

}  // namespace agpusim::radix_sort
