#pragma once

#include <cstdint>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/pram/run.hpp"

namespace agpusim {

/// The largest n = 2^k <= `most` whose simulation takes at most `lane_operations`, by their
/// estimate (estimated_lane_operations); `config` is resolved.
[[nodiscard]] std::int64_t affordable_n(const Algorithm& algorithm, const RunConfig& config,
                                        std::int64_t most, double lane_operations);

/// Says on standard error what a run of more than a minute will take on this host, and how to go
/// on. Measures smaller runs for a fraction of a second; `config` is resolved.
void announce_if_long(const Algorithm& algorithm, const RunConfig& config, int threads);
void announce_if_long(const Algorithm& algorithm, const RunConfig& config,
                      const PramOptions& options);

}  // namespace agpusim
