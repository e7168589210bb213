#pragma once

#include "agpusim/cuda/registry.hpp"
#include "agpusim/validation/measure/cuda_support.hpp"

namespace agpusim {

/// Times run() of a program on the device: before each sample the input is restored and the L2
/// cache flushed, both untimed, and the device waits until the host has enqueued all launches.
/// Throws CudaError when a launch or the work of a kernel fails.
[[nodiscard]] Samples time_program(CudaProgram& program, const SamplingRule& rule);

}  // namespace agpusim
