#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/algorithms/common/pram/integer_sorts.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"

namespace agpusim {

/// Runs a sort, `sort(pram, x, keys)` which gives the array of the sorted keys; the reference is
/// std::sort.
template <class Sort>
[[nodiscard]] PramRunResult run_sort(const RunConfig& config, const PramOptions& options,
                                     Sort sort) {
  const KeyShape shape = key_shape(config);
  return run_pram(
      config, options, generate_pram_keys,
      [&](Pram& pram, const PramArray& x) {
        return pram.values(sort(pram, x, KeyRange{shape.min, shape.range}));
      },
      [](std::vector<std::int64_t> keys) {
        std::sort(keys.begin(), keys.end());
        return keys;
      });
}

/// A row of a sort of integer keys by prefix sums, with a variant for each kind of prefix sums that
/// is given: summary, variants, inputs, parameters and check. `steps` are the steps besides
/// the prefix sums, `scans` how many prefix sums there are.
[[nodiscard]] PramSide integer_sort_row(std::string summary, int steps, int scans,
                                        const std::string& source);

}  // namespace agpusim
