#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/model/run/algorithm.hpp"

namespace agpusim {

/// The parameters "min" (default 0), "range" (default max(n,1)) and "values" (default range).
[[nodiscard]] std::vector<Parameter> pram_key_parameters();

/// The shape of a run: its parameters "min", "range" and "values".
[[nodiscard]] KeyShape pram_key_shape(const RunConfig& config);

/// Throws UsageError as generate_keys does; only keys that were given are looked at one by one.
void check_pram_keys(const RunConfig& config);

/// The keys of a run.
[[nodiscard]] std::vector<std::int64_t> generate_pram_keys(const RunConfig& config);

}  // namespace agpusim
