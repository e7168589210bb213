#pragma once

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/cli/pram_command.hpp"

namespace agpusim {

/// Runs every variant of the algorithm on its own machine and prints one table: what each machine
/// buys. Then throws Mismatch when a result or a count is not what it should be.
void run_all_variants(const Algorithm& algorithm, const PramCommand& command);

}  // namespace agpusim
