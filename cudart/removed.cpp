// Functions that CUDA 13 has removed, and has under another name.
#include "agpusim/cudart/api.hpp"

namespace agpusim::cudart {

AGPUSIM_CUDART Status cudaDeviceReset();
AGPUSIM_CUDART Status cudaDeviceSynchronize();
AGPUSIM_CUDART Status cudaDeviceGetCacheConfig(int* config);
AGPUSIM_CUDART Status cudaDeviceGetLimit(std::size_t* value, std::uint32_t limit);
AGPUSIM_CUDART Status cudaDeviceSetLimit(std::uint32_t limit, std::size_t value);

AGPUSIM_CUDART Status cudaThreadExit() { return cudaDeviceReset(); }

AGPUSIM_CUDART Status cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

AGPUSIM_CUDART Status cudaThreadGetCacheConfig(int* config) {
  return cudaDeviceGetCacheConfig(config);
}

AGPUSIM_CUDART Status cudaThreadGetLimit(std::size_t* value, std::uint32_t limit) {
  return cudaDeviceGetLimit(value, limit);
}

AGPUSIM_CUDART Status cudaThreadSetLimit(std::uint32_t limit, std::size_t value) {
  return cudaDeviceSetLimit(limit, value);
}

}  // namespace agpusim::cudart
