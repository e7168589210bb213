#pragma once

#include "agpusim/validation/measure/cuda_support.hpp"

namespace agpusim {

/// The CUDA half of this build. Throws Unavailable when it was built without CUDA; whether the
/// machine has a GPU shows when it is used.
[[nodiscard]] CudaSupport require_cuda();

}  // namespace agpusim
