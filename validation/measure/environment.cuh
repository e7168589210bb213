#pragma once

#include "agpusim/validation/records/environment.hpp"

namespace agpusim {

/// The first CUDA device and the software around it. Throws CudaError with the code `unavailable`
/// when there is none.
[[nodiscard]] Environment cuda_environment();

}  // namespace agpusim
