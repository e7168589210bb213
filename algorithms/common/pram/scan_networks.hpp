#pragma once

#include <cstdint>

#include "agpusim/model/pram/run.hpp"

// Inclusive prefix sums in place without concurrent writes.
namespace agpusim {

/// ⌈lg n⌉ steps; in step r = 0, 1, ... every element adds the one 2^r before it (CREW: an element
/// is read by itself and by the one 2^r after it). Hillis and Steele, Comm. ACM 29(12), 1986.
void scan_by_doubling(Pram& pram, const PramArray& x);
[[nodiscard]] PramForm scan_by_doubling_form(std::int64_t n);

/// An up-sweep that leaves the sum of each aligned interval in its last element, and a down-sweep
/// that adds it to the middle of the next interval (EREW). Any n. Blelloch, CMU-CS-90-190, 1990;
/// the down-sweep is the inclusive one of Brent and Kung, IEEE Trans. Comput. C-31(3), 1982.
void scan_by_sweeps(Pram& pram, const PramArray& x);
[[nodiscard]] PramForm scan_by_sweeps_form(std::int64_t n);

}  // namespace agpusim
