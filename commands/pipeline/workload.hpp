#pragma once

#include <cstdint>
#include <span>
#include <string>

// Inputs of the out-of-core experiment and checks of its results, on all cores of the host. Every
// result can be checked at any size without another array of its length.
namespace agpusim::out_of_core {

/// Whole numbers from 0 to 999: sums of up to 2^43 of them are exact in 64-bit floating point, in
/// any order.
void fill_numbers(std::span<double> values, std::uint64_t seed);
/// Uniform in [0, 1).
void fill_keys(std::span<double> values, std::uint64_t seed);
/// A random permutation of 0..n-1.
void fill_places(std::span<std::int64_t> places, std::uint64_t seed);
/// 1 at every element that plans take for a head (segmented::planned_length), else 0: what a plan
/// predicts is what runs. Chunks of a multiple of so many elements begin with a segment.
void fill_heads(std::span<std::uint32_t> heads);
/// values[i] = i.
void fill_indices(std::span<double> values);

/// What is wrong with a result; empty: nothing.
[[nodiscard]] std::string check_scaled(std::span<const double> in, std::span<const double> out,
                                       double factor);
/// Every sin^2 + cos^2 is 1 within 4 units in the last place.
[[nodiscard]] std::string check_ones(std::span<const double> out);
/// `sum` is that of every element times `factor`.
[[nodiscard]] std::string check_sum(std::span<const double> in, double sum, double factor = 1);
/// `out` is the inclusive scan under addition of every element times `factor`.
[[nodiscard]] std::string check_prefixes(std::span<const double> in, std::span<const double> out,
                                         double factor = 1);
/// `out` is an inclusive scan within segments, which begin where a head is not 0, as at element 0.
[[nodiscard]] std::string check_segmented_prefixes(std::span<const double> in,
                                                   std::span<const std::uint32_t> heads,
                                                   std::span<const double> out);
/// `out` has as many elements as there are segments, of which each is the sum of one.
[[nodiscard]] std::string check_segmented_sums(std::span<const double> in,
                                               std::span<const std::uint32_t> heads,
                                               std::span<const double> out);
/// out[places[i]] = i for every i.
[[nodiscard]] std::string check_scattered(std::span<const std::int64_t> places,
                                          std::span<const double> out);
/// `out` is sorted and has the keys of `in`: two sums of hashes over all keys are equal.
[[nodiscard]] std::string check_sorted(std::span<const double> in, std::span<const double> out);
/// Every segment of `out` is sorted and has the keys of that segment of `in`.
[[nodiscard]] std::string check_segments_sorted(std::span<const double> in,
                                                std::span<const std::uint32_t> heads,
                                                std::span<const double> out);
/// `out` has, in any order, what hash_table() finds of different keys: the slots that the first
/// half of them take, and the empty ones where searches for the others end. Neither depends on the
/// order of insertion (Peterson 1957): a set of bits, filled in the order of the keys, has the
/// same.
[[nodiscard]] std::string check_hash_table(std::span<const double> in, std::span<const double> out);

}  // namespace agpusim::out_of_core
