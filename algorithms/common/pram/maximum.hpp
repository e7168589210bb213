#pragma once

#include <cstdint>

#include "agpusim/model/pram/run.hpp"

// The maximum of n >= 1 numbers by comparisons (Common CRCW; equal values are ordered by their
// index, so that exactly one candidate is never beaten).
namespace agpusim {

/// One cell with the maximum: every pair is compared at once; 3 steps, n^2 processors.
PramArray maximum_of_all_pairs(Pram& pram, const PramArray& x);
[[nodiscard]] PramForm maximum_of_all_pairs_form(std::int64_t n);

/// An array whose only cell holds the maximum (x itself when n = 1): m candidates are cut into
/// groups of ⌊2n/m⌋ + 1, so that all pairs of all groups need at most n processors; the winners go
/// on. 3 steps a round, O(log log n) rounds (Valiant, SIAM J. Comput. 4(3), 1975; Shiloach and
/// Vishkin, J. Algorithms 2(1), 1981).
PramArray maximum_by_growing_groups(Pram& pram, const PramArray& x);
[[nodiscard]] PramForm maximum_by_growing_groups_form(std::int64_t n);

}  // namespace agpusim
