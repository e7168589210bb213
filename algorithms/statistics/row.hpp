#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/statistics/program.hpp"

// What the rows `minmax` and `statistics` share.
namespace agpusim::statistics {

/// Fills in types, inputs, parameters, bounds and lower bound.
void describe(Algorithm& row);

/// The variant in which one lane does it all.
[[nodiscard]] Variant one_lane();

/// Throws UsageError where M is too small for V records of so many fields, the segments too long
/// for 32-bit indices, or a serial run too long; and what a policy for integers refuses.
void check_machine(const RunConfig& config, std::int64_t fields, bool serial);

/// Fields of the largest record that a lane keeps in shared memory.
template <class T, class Moments>
[[nodiscard]] constexpr std::int64_t most_fields() {
  return Extremes<T>::fields + std::max(Moments::sums, Moments::fields);
}

}  // namespace agpusim::statistics
