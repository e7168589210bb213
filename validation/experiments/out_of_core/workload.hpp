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
/// values[i] = i.
void fill_indices(std::span<double> values);

/// What is wrong with a result; empty: nothing.
[[nodiscard]] std::string check_scaled(std::span<const double> in, std::span<const double> out,
                                       double factor);
/// Every sin^2 + cos^2 is 1 within 4 units in the last place.
[[nodiscard]] std::string check_ones(std::span<const double> out);
[[nodiscard]] std::string check_sum(std::span<const double> in, double sum);
/// Of an inclusive scan under addition.
[[nodiscard]] std::string check_prefixes(std::span<const double> in, std::span<const double> out);
/// out[places[i]] = i for every i.
[[nodiscard]] std::string check_scattered(std::span<const std::int64_t> places,
                                          std::span<const double> out);
/// `out` is sorted and has the keys of `in`: two sums of hashes over all keys are equal.
[[nodiscard]] std::string check_sorted(std::span<const double> in, std::span<const double> out);

}  // namespace agpusim::out_of_core
