#pragma once

// These words of CUDA C++ qualify functions and variables. To a compiler of C++ they mean nothing.
#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#endif
// clang has managed variables for HIP alone.
#define __managed__ \
  _Pragma("GCC error \"__managed__ is not supported by agpusim cc: use cudaMallocManaged\"")
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define CUDARTAPI
#define CUDART_CB

/// What a function of these headers costs stands at the line that calls it.
#define AGPUSIM_DEVICE static inline __attribute__((device, always_inline, nodebug))
#define AGPUSIM_METHOD inline __attribute__((device, always_inline, nodebug))
/// Host and device have the function.
#ifdef __CUDA__
#define AGPUSIM_BOTH static inline __attribute__((host, device, always_inline, nodebug))
#define AGPUSIM_BOTH_METHOD inline __attribute__((host, device, always_inline, nodebug))
#else
#define AGPUSIM_BOTH static inline
#define AGPUSIM_BOTH_METHOD inline
#endif
