#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "agpusim/model/run/algorithm.hpp"
#include "agpusim/model/run/host_program.hpp"
#include "agpusim/ptx/run/kernel_device.hpp"

namespace agpusim {

/// A host program, for a device that runs the PTX of its kernels.
using CompiledProgram =
    std::function<std::unique_ptr<HostProgram>(ptx::KernelDevice&, const RunConfig&)>;

/// By algorithm.
using CompiledPrograms = std::map<std::string, CompiledProgram>;

/// Adds every algorithm that has a program.hpp (generated from algorithms/CMakeLists.txt).
void register_all_compiled(CompiledPrograms& programs);

/// Runs the kernels of a row as nvcc has compiled them, from the bundled PTX, on the abstract
/// machine; `config` is resolved. Throws Unavailable where none is bundled, else as
/// ptx::KernelDevice does.
[[nodiscard]] RunResult simulate_compiled(const Algorithm& algorithm, const RunConfig& config,
                                          const ptx::Options& options = {});

/// Whether the PTX of this program's kernels lies beside it, as agpusim_add_program() lays it.
[[nodiscard]] bool has_own_kernels();

/// The phases of a run of a program of one's own on that PTX, with what a prediction needs. Throws
/// Unavailable where it cannot be read, else as ptx::KernelDevice does.
[[nodiscard]] std::vector<PhaseReport> phases_of_own_kernels(const CompiledProgram& program,
                                                             const RunConfig& config);

}  // namespace agpusim
