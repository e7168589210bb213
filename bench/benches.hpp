#pragma once

#include <string>

#include "agpusim/algorithms/registry.hpp"

// The parts of agpusim_bench; main() registers them all.
namespace agpusim::bench {

/// Every row of the table, which must outlive the run.
void add_simulations(const Registry& registry);
/// Single requests of 32 lanes.
void add_pricing();
/// Steps of a PRAM.
void add_pram_steps();
/// Texts of PTX.
void add_ptx_parsing();
/// Kernels in PTX.
void add_ptx_runs();
/// The radix sort of CUB, as PTX.
void add_ptx_sort();
/// `agpusim exec`.
void add_exec();

/// PTX of about a MB: what tests/ptx/fixtures/FIXTURE.ptx declares, again and again, its kernel K
/// as k0_K, k1_K and so on.
[[nodiscard]] std::string large_ptx(const std::string& fixture);

}  // namespace agpusim::bench
