#pragma once

#include "agpusim/validation/measure/cuda_support.hpp"

namespace agpusim {

/// The first CUDA device and the software around it. Throws CudaError with the code `unavailable`
/// when there is none.
[[nodiscard]] Environment cuda_environment();

}  // namespace agpusim
