#pragma once

#include "agpusim/validation/measure/cuda_support.hpp"

namespace agpusim::out_of_core {

/// Adds the first CUDA device, with as much pinned memory as is asked for, which throws CudaError;
/// nothing in a build without CUDA.
void add_cuda_runs(CudaSupport& support);

}  // namespace agpusim::out_of_core
