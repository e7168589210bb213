#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agpusim/model/run/algorithm.hpp"
#include "agpusim/ptx/run/device.hpp"
#include "agpusim/validation/counts/stored_counts.hpp"

namespace agpusim {

/// Runs the kernels of a row as nvcc has compiled them, from the bundled PTX, on the abstract
/// machine; `config` is resolved. Throws Unavailable where none is bundled, else as
/// ptx::KernelDevice does.
[[nodiscard]] RunResult simulate_compiled(const Algorithm& algorithm, const RunConfig& config,
                                          const ptx::Options& options = {});

/// The phases of a run of a program on its PTX, with what a prediction needs. `derives`: from one
/// task of each class; throws DependsOnData where tasks may differ, else as ptx::KernelDevice does.
[[nodiscard]] std::vector<PhaseReport> phases_of(const decltype(Algorithm::program)& program,
                                                 const RunConfig& config,
                                                 std::shared_ptr<const ptx::Module> kernels,
                                                 bool derives, int threads = 0);

/// The phases of a run of the bundled kernels, from one task of each class; none where their costs
/// depend on data. Throws as simulate_compiled() does.
[[nodiscard]] std::vector<PhaseReport> derived_phases_of(const Algorithm& algorithm,
                                                         const RunConfig& config, int threads = 1);

/// They are of these tasks or, where costs depend on data, of all.
[[nodiscard]] std::vector<PhaseReport> phases_of_bundled_kernels(const Algorithm& algorithm,
                                                                 const RunConfig& config,
                                                                 int threads = 0);

/// Such phases that agpusim carries, by run.
[[nodiscard]] const StoredCounts& bundled_compiled();

/// A digest of the bundled PTX of a row; 0 where there is none.
[[nodiscard]] std::uint64_t digest_of_kernels(const std::string& algorithm);

/// Whether the PTX of this program's kernels lies beside it, as agpusim_add_program() lays it.
[[nodiscard]] bool has_own_kernels();

/// The phases of a run of a program of one's own on that PTX, with what a prediction needs. Throws
/// Unavailable where it cannot be read, else as ptx::KernelDevice does.
[[nodiscard]] std::vector<PhaseReport> phases_of_own_kernels(
    const decltype(Algorithm::program)& program, const RunConfig& config);

}  // namespace agpusim
