#pragma once

#include <optional>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/pram/run.hpp"

namespace agpusim {

/// Runs `program` on the abstract machine and compares its result with the reference's checksum,
/// if there is a reference, and where they differ with what is expected, if that is given.
[[nodiscard]] RunResult simulate(const decltype(Algorithm::program)& program,
                                 const decltype(Algorithm::reference)& reference,
                                 const decltype(Algorithm::expected)& expected,
                                 const RunConfig& config, const SimulationOptions& options);

/// Resolves `config` and runs it; for a row that need not be in a table or complete.
[[nodiscard]] RunResult simulate(const Algorithm& algorithm, const RunConfig& config,
                                 const SimulationOptions& options = {});

/// Runs it on the variant's own PRAM, with a configuration that run_on_pram() begins.
[[nodiscard]] PramRunResult simulate_on_pram(const Algorithm& algorithm, const RunConfig& config,
                                             const PramOptions& options = {});

/// The report of a run of `program` from examples of its tasks (Algorithm::derive).
[[nodiscard]] std::optional<RunReport> derive_counts(const decltype(Algorithm::program)& program,
                                                     const RunConfig& config);

}  // namespace agpusim
