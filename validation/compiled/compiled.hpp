#pragma once

#include <vector>

#include "agpusim/model/run/algorithm.hpp"
#include "agpusim/ptx/run/device.hpp"

namespace agpusim {

/// Runs the kernels of a row as nvcc has compiled them, from the bundled PTX, on the abstract
/// machine; `config` is resolved. Throws Unavailable where none is bundled, else as
/// ptx::KernelDevice does.
[[nodiscard]] RunResult simulate_compiled(const Algorithm& algorithm, const RunConfig& config,
                                          const ptx::Options& options = {});

/// Whether the PTX of this program's kernels lies beside it, as agpusim_add_program() lays it.
[[nodiscard]] bool has_own_kernels();

/// The phases of a run of a program of one's own on that PTX, with what a prediction needs. Throws
/// Unavailable where it cannot be read, else as ptx::KernelDevice does.
[[nodiscard]] std::vector<PhaseReport> phases_of_own_kernels(
    const decltype(Algorithm::program)& program, const RunConfig& config);

}  // namespace agpusim
