#include "agpusim/algorithms/common/permutation.hpp"

#include <bit>

#include "agpusim/algorithms/common/checksum.hpp"

namespace agpusim {

Permutation::Permutation(std::uint64_t size, std::uint64_t seed)
    : size_(size),
      seed_(seed),
      half_((static_cast<int>(std::bit_width(size > 1 ? size - 1 : 1)) + 1) / 2) {}

std::uint64_t Permutation::operator()(std::uint64_t i) const {
  do i = round_trip(i);
  while (i >= size_);
  return i;
}

std::uint64_t Permutation::round_trip(std::uint64_t i) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
  std::uint64_t left = i >> half_;
  std::uint64_t right = i & mask;
  for (std::uint64_t round = 0; round < 4; ++round) {
    const std::uint64_t mixed = left ^ (random_bits(seed_ + round, right) & mask);
    left = right;
    right = mixed;
  }
  return left << half_ | right;
}

}  // namespace agpusim
