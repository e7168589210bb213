#pragma once

#include <cstdint>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

/// Completes the counts of a run by its execution (model/agpu/execution.hpp): simulated where that
/// takes at most `limit` lane operations, else that of a run of a tenth of it, phase by phase in
/// proportion to the instructions. Returns the n that was simulated; 0 where no run is small
/// enough, and then adds nothing.
std::int64_t add_execution(const Algorithm& algorithm, const RunConfig& config, double limit,
                           RunReport& report);

/// The execution of `from` with `factor` times the instructions in `task_factor` times the tasks,
/// its arrays `size_factor` times as large.
[[nodiscard]] PhaseExecution scaled(const PhaseExecution& from, double factor, double task_factor,
                                    double size_factor);

}  // namespace agpusim
