#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/validation/experiments/out_of_core/run_record.hpp"

namespace agpusim::out_of_core {

/// The budgets of the experiment: the seed's card, a small one, most of an H200.
inline constexpr std::int64_t seed_budget = 3'000'000'000;
inline constexpr std::int64_t small_budget = 8'000'000'000;
inline constexpr std::int64_t card_budget = 130'000'000'000;

/// Every run of the experiment with inputs up to `n_max`, the runs of one input beside each other;
/// chunks and streams of the device's runs are left open (0). One core of the host takes part where
/// it needs no minutes.
[[nodiscard]] std::vector<Run> experiment_runs(std::int64_t n_max);

}  // namespace agpusim::out_of_core
