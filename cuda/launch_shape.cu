#include <algorithm>

#include <fmt/format.h>

#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/launch_shape.cuh"
#include "agpusim/cuda/multiprocessor.cuh"
#include "agpusim/cuda/stream.cuh"

namespace agpusim {
namespace {

int attribute(cudaDeviceAttr which) {
  int value = 0;
  AGPUSIM_CUDA_CHECK(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

}  // namespace

LaunchShapes::LaunchShapes() {
  require_cuda_device();
  multiprocessors_ = attribute(cudaDevAttrMultiProcessorCount);
  shared_bytes_limit_ = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
}

void LaunchShapes::prepare(const void* function, std::string_view name, std::int64_t task_bytes) {
  const auto [it, inserted] = resident_.try_emplace({function, task_bytes});
  if (!inserted) return;
  if (task_bytes > shared_bytes_limit_) {
    resident_.erase(it);
    throw UsageError(
        fmt::format("kernel {}: a task needs {} bytes of shared memory, but a CTA of this "
                    "device has {}; use a smaller tile",
                    name, task_bytes, shared_bytes_limit_));
  }
  AGPUSIM_CUDA_CHECK(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          static_cast<int>(shared_bytes_limit_)));
  for (std::int32_t warps = 1; warps <= max_warps_per_cta; ++warps) {
    std::int32_t& resident = it->second[static_cast<std::size_t>(warps)];
    if (warps * task_bytes > shared_bytes_limit_) continue;
    int ctas = 0;
    AGPUSIM_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &ctas, function, warps * cuda_warp_lanes, static_cast<std::size_t>(warps * task_bytes)));
    resident = ctas * warps;
  }
}

std::int32_t LaunchShapes::warps_per_cta(const void* function, std::int64_t task_bytes,
                                         std::int64_t tasks) const {
  const ResidentWarps& resident = resident_.at({function, task_bytes});
  const std::int64_t spread = (tasks + multiprocessors_ - 1) / multiprocessors_;
  std::int32_t best = 1;
  for (std::int32_t warps = 2; warps <= std::min<std::int64_t>(max_warps_per_cta, spread);
       ++warps) {
    if (resident[static_cast<std::size_t>(warps)] >= resident[static_cast<std::size_t>(best)]) {
      best = warps;
    }
  }
  return best;
}

}  // namespace agpusim
