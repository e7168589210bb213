#pragma once

#include <cstdint>

#include "agpusim/model/run/algorithm.hpp"

// What the rows that sort generated keys by comparisons share.
namespace agpusim {

/// Checksum of the sorted keys of a run whose input is generate<T>(): the library's sort, on all
/// cores.
[[nodiscard]] std::uint64_t sorted_checksum(const RunConfig& config);

/// A row with types, inputs, reference and lower bound; the rest is to be filled in.
[[nodiscard]] Algorithm comparison_sort_row();

/// Throws UsageError unless b, V and the words of a key are powers of two, as Batcher's network
/// needs.
void check_powers_of_two(const RunConfig& config);

}  // namespace agpusim
