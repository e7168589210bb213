#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/algorithms/pram_registry.hpp"

namespace agpusim {

/// The parameters "min" (default 0), "range" (default max(n,1)) and "values" (default range).
[[nodiscard]] std::vector<PramParameter> pram_key_parameters();

/// The shape of a run: its parameters "min", "range" and "values".
[[nodiscard]] KeyShape pram_key_shape(const PramRunConfig& config);

/// Throws UsageError as generate_keys does; only keys that were given are looked at one by one.
void check_pram_keys(const PramRunConfig& config);

/// The keys of a run.
[[nodiscard]] std::vector<std::int64_t> generate_pram_keys(const PramRunConfig& config);

}  // namespace agpusim
