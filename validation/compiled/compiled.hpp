#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "agpusim/model/run/algorithm.hpp"
#include "agpusim/model/run/host_program.hpp"
#include "agpusim/ptx/kernel_device.hpp"

namespace agpusim {

/// By algorithm: its host program, for a device that runs the PTX of its kernels.
using CompiledPrograms =
    std::map<std::string,
             std::function<std::unique_ptr<HostProgram>(ptx::KernelDevice&, const RunConfig&)>>;

/// Of every algorithm that has a program.hpp (generated from algorithms/CMakeLists.txt).
void register_all_compiled(CompiledPrograms& programs);

/// Runs the kernels of a row as nvcc has compiled them, from the bundled PTX, on the abstract
/// machine; `config` is resolved. Throws Unavailable where none is bundled, else as
/// ptx::KernelDevice does.
[[nodiscard]] RunResult simulate_compiled(const Algorithm& algorithm, const RunConfig& config,
                                          const ptx::Options& options = {});

}  // namespace agpusim
