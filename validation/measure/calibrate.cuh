#pragma once

#include <vector>

#include "agpusim/validation/records/device_file.hpp"

namespace agpusim {

/// The first CUDA device with the constants that probes measure (device_file.hpp lists them). Takes
/// up to a minute. Throws CudaError.
[[nodiscard]] DeviceFile calibrate_cuda();

/// Measures those of its constants that pipelines of copies and kernels ask for
/// (out_of_core/machine.hpp lists them). Throws CudaError.
[[nodiscard]] std::vector<Constant> calibrate_link_cuda();

}  // namespace agpusim
