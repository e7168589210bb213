#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"
#include "agpusim/algorithms/scan/task_cost.hpp"

namespace agpusim {

/// What the rows of the H-P sorts share: variants (where the first histogram counts), inputs,
/// parameters, checks, reference and lower bound. The rest is to be filled in. `io` is what Q has
/// besides the first histogram, `time` what T has besides it and a few passes over keys and values.
[[nodiscard]] Algorithm integer_sort_row(const Bound& io, const Bound& time = {});

/// The closed form of a scan of 32-bit words by addition, or another operator of one instruction.
[[nodiscard]] scan::ScanCost sum_scan_cost(const RunConfig& config);

/// Inclusive prefix sums.
[[nodiscard]] std::vector<std::int32_t> prefix_sums(std::vector<std::int32_t> values);

/// A part of an array of places.
[[nodiscard]] inline std::span<const std::int32_t> part(const std::vector<std::int32_t>& places,
                                                        std::int64_t first, std::int64_t length) {
  return std::span(places).subspan(static_cast<std::size_t>(first),
                                   static_cast<std::size_t>(length));
}

}  // namespace agpusim
