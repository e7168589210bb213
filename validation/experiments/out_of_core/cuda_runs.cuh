#pragma once

#include <cstdint>
#include <memory>

#include "agpusim/validation/experiments/out_of_core/device_runs.hpp"

namespace agpusim::out_of_core {

/// The first CUDA device, with `host_bytes` of pinned memory. Throws CudaError.
[[nodiscard]] std::unique_ptr<DeviceRuns> cuda_runs(std::int64_t host_bytes);

}  // namespace agpusim::out_of_core
