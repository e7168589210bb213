#include <fmt/format.h>

#include <cuda/version>
#include <cuda_runtime_api.h>

#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/validation/measure/environment.cuh"

namespace agpusim {
namespace {

/// 13000 is "13.0".
std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

Environment cuda_environment() {
  require_cuda_device();
  cudaDeviceProp properties{};
  AGPUSIM_CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  int driver = 0;
  AGPUSIM_CUDA_CHECK(cudaDriverGetVersion(&driver));
  int clock_khz = 0;
  AGPUSIM_CUDA_CHECK(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0));
  Environment environment;
  environment.device = properties.name;
  environment.driver = version_text(driver);
  environment.cuda = version_text(CUDART_VERSION);
  environment.cccl =
      fmt::format("{}.{}.{}", CCCL_MAJOR_VERSION, CCCL_MINOR_VERSION, CCCL_PATCH_VERSION);
  environment.multiprocessors = properties.multiProcessorCount;
  environment.clock_mhz = clock_khz / 1000;
  environment.l2_bytes = properties.l2CacheSize;
  environment.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  return environment;
}

}  // namespace agpusim
