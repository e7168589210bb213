#pragma once

#include <string>
#include <vector>

#include "agpusim/cli/sweep.hpp"
#include "agpusim/validation/contest/comparison.hpp"
#include "agpusim/validation/rows/run.hpp"

namespace agpusim {

/// Programs as the command line names them, "all", "NAME:all" and "pram/all" spelled out.
[[nodiscard]] std::vector<std::string> spelled_out(const std::vector<std::string>& texts);

/// Every run of the sweep that the options describe, in an order that depends on nothing else. A
/// program is NAME[:VARIANT][,PARAMETER=VALUE...] of `agpusim list`, pram/NAME[:VARIANT]... of
/// `agpusim pram`, NAME:all for every variant, "all" or "pram/all". The machines must outlive the
/// runs. Throws UsageError that names what is not known.
[[nodiscard]] std::vector<Run> sweep_runs(const SweepOptions& options,
                                          const std::vector<contest::ComparedMachine>& machines);

}  // namespace agpusim
