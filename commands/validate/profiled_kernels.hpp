#pragma once

#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim::protocol {

/// Instructions of a warp beyond those counted, for each kernel of an algorithm, type and width
/// that was profiled and whose run's counts are stored or derived: the median of its launches with
/// at most 1,500 counted ones per warp (in longer ones errors of the prices of what is counted are
/// larger than the prologue).
[[nodiscard]] std::vector<double> prologues_of(const Registry& registry,
                                               const std::vector<CounterRecord>& records);

}  // namespace agpusim::protocol
