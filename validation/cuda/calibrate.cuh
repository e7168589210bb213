#pragma once

#include <string>

namespace agpusim {

/// Measures the constants of the first CUDA device (device_file.hpp lists them) and returns the
/// JSON text of its device file. Takes some seconds. Throws CudaError.
[[nodiscard]] std::string calibrate_cuda();

}  // namespace agpusim
