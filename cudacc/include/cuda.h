#pragma once

// Programs name these types of the driver's interface beside the runtime's.
#include "cuda_runtime.h"

#define CUDA_VERSION 13000
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
