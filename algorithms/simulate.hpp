#pragma once

#include <optional>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/simulation_options.hpp"

namespace agpusim {

/// Runs `program` on the abstract machine and compares its result with the reference's checksum.
[[nodiscard]] RunResult simulate(const decltype(Algorithm::program)& program,
                                 const decltype(Algorithm::reference)& reference,
                                 const RunConfig& config, const SimulationOptions& options);

/// Resolves `config` and runs it; for a row that need not be in a table or complete.
[[nodiscard]] RunResult simulate(const Algorithm& algorithm, const RunConfig& config,
                                 const SimulationOptions& options = {});

/// The report of a run from one task of each class of tasks, exact for every n (task_runs.hpp), but
/// for the host words. Nothing where the cost of a kernel depends on data.
[[nodiscard]] std::optional<RunReport> derive(const Algorithm& algorithm, const RunConfig& config);

}  // namespace agpusim
