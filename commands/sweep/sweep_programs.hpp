#pragma once

#include <string>
#include <vector>

#include "agpusim/commands/sweep/sweep.hpp"
#include "agpusim/validation/rows/compared_machine.hpp"
#include "agpusim/validation/rows/run.hpp"

namespace agpusim {

/// Every run of the sweep that the options describe, in an order that depends on nothing else. A
/// program is NAME[:VARIANT][,PARAMETER=VALUE...] of `agpusim list`, pram/NAME[:VARIANT]... of
/// `agpusim pram`, NAME:all for every variant, "all" or "pram/all". The machines must outlive the
/// runs. Throws UsageError that names what is not known.
[[nodiscard]] std::vector<Run> sweep_runs(const SweepOptions& options,
                                          const std::vector<contest::ComparedMachine>& machines);

}  // namespace agpusim
