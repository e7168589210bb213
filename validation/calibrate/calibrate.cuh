#pragma once

#include <string>
#include <vector>

#include "agpusim/validation/calibrate/device_file.hpp"

namespace agpusim {

/// Measures the constants of the first CUDA device (device_file.hpp lists them) and returns the
/// JSON text of its device file. Takes up to a minute. Throws CudaError.
[[nodiscard]] std::string calibrate_cuda();

/// Measures those of its constants that pipelines of copies and kernels ask for
/// (out_of_core/machine.hpp lists them). Throws CudaError.
[[nodiscard]] std::vector<Constant> calibrate_link_cuda();

}  // namespace agpusim
