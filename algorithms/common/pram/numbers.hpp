#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/model/run/algorithm.hpp"

namespace agpusim {

/// Kinds of numbers, the same on every machine for one seed: uniform (0..9), signed (-9..9), ones,
/// zeros, sorted (0, 1, 2, ...), reversed. Besides these, "values:3,-1,4" gives the numbers
/// themselves.
[[nodiscard]] const std::vector<std::string>& number_kinds();

/// The input of a run. Throws UsageError: an unknown kind, or, for "values:...", text that is no
/// number or a number of values other than n.
[[nodiscard]] std::vector<std::int64_t> generate_numbers(const RunConfig& config);

/// Kinds of bits: uniform, ones, zeros; besides these, "values:0,1,1".
[[nodiscard]] const std::vector<std::string>& bit_kinds();

/// The input of a run on bits. Throws UsageError as generate_numbers does, and for a value that is
/// neither 0 nor 1 (the first offender is named).
[[nodiscard]] std::vector<std::int64_t> generate_bits(const RunConfig& config);

}  // namespace agpusim
