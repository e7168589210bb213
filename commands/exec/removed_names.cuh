// Names that CUDA 13 has removed, or CUDA 9 for this architecture, by those that have their place.
// `agpusim build` puts it before each source.
#pragma once
#ifdef __CUDACC__
#include <cuda_runtime.h>

#if CUDART_VERSION >= 13000 && defined(__cplusplus)

#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define cudaGetDeviceProperties_v2 cudaGetDeviceProperties
#define cudaThreadGetLimit cudaDeviceGetLimit
#define cudaThreadSetLimit cudaDeviceSetLimit
#define cudaThreadGetCacheConfig cudaDeviceGetCacheConfig
#define cudaThreadSetCacheConfig cudaDeviceSetCacheConfig

// The fields that the structure has lost, each from the attribute that has stayed.
struct agpusim_device_properties : cudaDeviceProp {
  int clockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode, memoryClockRate,
      singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch;
};
inline cudaError_t cudaGetDeviceProperties(agpusim_device_properties* p, int device) {
  const cudaError_t error = cudaGetDeviceProperties(static_cast<cudaDeviceProp*>(p), device);
  if (error != cudaSuccess) return error;
  cudaDeviceGetAttribute(&p->clockRate, cudaDevAttrClockRate, device);
  cudaDeviceGetAttribute(&p->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout, device);
  cudaDeviceGetAttribute(&p->computeMode, cudaDevAttrComputeMode, device);
  cudaDeviceGetAttribute(&p->memoryClockRate, cudaDevAttrMemoryClockRate, device);
  cudaDeviceGetAttribute(&p->singleToDoublePrecisionPerfRatio,
                         cudaDevAttrSingleToDoublePrecisionPerfRatio, device);
  p->deviceOverlap = 1;
  p->cooperativeMultiDeviceLaunch = 0;
  return cudaSuccess;
}
#define cudaDeviceProp agpusim_device_properties

// A place was the number of a device, or cudaCpuDeviceId.
inline cudaMemLocation agpusim_location(int device) {
  cudaMemLocation location = {};
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}
inline cudaError_t cudaMemPrefetchAsync(const void* data, size_t bytes, int device,
                                        cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(data, bytes, agpusim_location(device), 0, stream);
}
inline cudaError_t cudaMemAdvise(const void* data, size_t bytes, cudaMemoryAdvise advice,
                                 int device) {
  return cudaMemAdvise(data, bytes, advice, agpusim_location(device));
}

namespace thrust {
template <class Argument, class Result>
struct unary_function {
  using argument_type = Argument;
  using result_type = Result;
};
template <class First, class Second, class Result>
struct binary_function {
  using first_argument_type = First;
  using second_argument_type = Second;
  using result_type = Result;
};
}  // namespace thrust

#endif

#ifdef __cplusplus
// Before sm_70 lanes met without a mask: those that are active now. For the host the old ones
// stand.
#ifdef __CUDA_ARCH__
template <class T>
__device__ __forceinline__ T __shfl(T value, int lane, int width = 32) {
  return __shfl_sync(__activemask(), value, lane, width);
}
template <class T>
__device__ __forceinline__ T __shfl_up(T value, unsigned distance, int width = 32) {
  return __shfl_up_sync(__activemask(), value, distance, width);
}
template <class T>
__device__ __forceinline__ T __shfl_down(T value, unsigned distance, int width = 32) {
  return __shfl_down_sync(__activemask(), value, distance, width);
}
template <class T>
__device__ __forceinline__ T __shfl_xor(T value, int mask, int width = 32) {
  return __shfl_xor_sync(__activemask(), value, mask, width);
}
#endif
// As macros they would meet names of libcu++: only where nvcc has refused the old ones.
#ifdef AGPUSIM_OLD_VOTES
#define __any(predicate) __any_sync(__activemask(), predicate)
#define __all(predicate) __all_sync(__activemask(), predicate)
#define __ballot(predicate) __ballot_sync(__activemask(), predicate)
#endif

#endif
#endif
