#pragma once

/// Marks a function that a kernel may call. Kernels compile as plain C++ for the abstract machine
/// and as device code under nvcc; this is the only place that knows.
#ifdef __CUDACC__
#define AGPUSIM_FN __host__ __device__ inline
#else
#define AGPUSIM_FN inline
#endif

/// Stands before a loop of a few turns over values in registers, which have no addresses.
#ifdef __CUDA_ARCH__
#define AGPUSIM_UNROLL _Pragma("unroll")
#else
#define AGPUSIM_UNROLL
#endif
