#pragma once

#include <stddef.h>

#include "vectors.h"

// These types of the CUDA 13 runtime are laid out as cudart/abi.hpp has them;
// tests/cudart/abi_check.cu compares them.

#define AGPUSIM_ENUM(name, ...) enum name { __VA_ARGS__ };
AGPUSIM_ENUM(cudaError, cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2,
             cudaErrorInitializationError = 3, cudaErrorCudartUnloading = 4,
             cudaErrorInvalidConfiguration = 9, cudaErrorInvalidPitchValue = 12,
             cudaErrorInvalidSymbol = 13, cudaErrorInvalidDevicePointer = 17,
             cudaErrorInvalidTexture = 18, cudaErrorInvalidMemcpyDirection = 21,
             cudaErrorInsufficientDriver = 35, cudaErrorMissingConfiguration = 52,
             cudaErrorInvalidDeviceFunction = 98, cudaErrorNoDevice = 100,
             cudaErrorInvalidDevice = 101, cudaErrorInvalidKernelImage = 200,
             cudaErrorDeviceUninitialized = 201, cudaErrorNoKernelImageForDevice = 209,
             cudaErrorECCUncorrectable = 214,
             cudaErrorInvalidPtx = 218, cudaErrorFileNotFound = 301, cudaErrorOperatingSystem = 304,
             cudaErrorInvalidResourceHandle = 400, cudaErrorIllegalState = 401,
             cudaErrorSymbolNotFound = 500, cudaErrorNotReady = 600, cudaErrorIllegalAddress = 700,
             cudaErrorLaunchOutOfResources = 701, cudaErrorLaunchTimeout = 702,
             cudaErrorPeerAccessAlreadyEnabled = 704, cudaErrorPeerAccessNotEnabled = 705,
             cudaErrorContextIsDestroyed = 709, cudaErrorAssert = 710,
             cudaErrorHostMemoryAlreadyRegistered = 712, cudaErrorHostMemoryNotRegistered = 713,
             cudaErrorIllegalInstruction = 715, cudaErrorMisalignedAddress = 716,
             cudaErrorInvalidPc = 718, cudaErrorLaunchFailure = 719,
             cudaErrorCooperativeLaunchTooLarge = 720, cudaErrorNotPermitted = 800,
             cudaErrorNotSupported = 801, cudaErrorStreamCaptureUnsupported = 900,
             cudaErrorStreamCaptureInvalidated = 901, cudaErrorStreamCaptureUnmatched = 903,
             cudaErrorStreamCaptureImplicit = 906, cudaErrorUnknown = 999)
typedef cudaError cudaError_t;
AGPUSIM_ENUM(cudaDeviceAttr, cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxBlockDimX = 2,
             cudaDevAttrMaxBlockDimY = 3, cudaDevAttrMaxBlockDimZ = 4, cudaDevAttrMaxGridDimX = 5,
             cudaDevAttrMaxGridDimY = 6, cudaDevAttrMaxGridDimZ = 7,
             cudaDevAttrMaxSharedMemoryPerBlock = 8, cudaDevAttrTotalConstantMemory = 9,
             cudaDevAttrWarpSize = 10, cudaDevAttrMaxPitch = 11,
             cudaDevAttrMaxRegistersPerBlock = 12, cudaDevAttrClockRate = 13,
             cudaDevAttrTextureAlignment = 14, cudaDevAttrGpuOverlap = 15,
             cudaDevAttrMultiProcessorCount = 16, cudaDevAttrKernelExecTimeout = 17,
             cudaDevAttrIntegrated = 18, cudaDevAttrCanMapHostMemory = 19,
             cudaDevAttrComputeMode = 20, cudaDevAttrConcurrentKernels = 31,
             cudaDevAttrEccEnabled = 32, cudaDevAttrPciBusId = 33, cudaDevAttrPciDeviceId = 34,
             cudaDevAttrMemoryClockRate = 36, cudaDevAttrGlobalMemoryBusWidth = 37,
             cudaDevAttrL2CacheSize = 38, cudaDevAttrMaxThreadsPerMultiProcessor = 39,
             cudaDevAttrAsyncEngineCount = 40, cudaDevAttrUnifiedAddressing = 41,
             cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76,
             cudaDevAttrStreamPrioritiesSupported = 78, cudaDevAttrGlobalL1CacheSupported = 79,
             cudaDevAttrLocalL1CacheSupported = 80,
             cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
             cudaDevAttrMaxRegistersPerMultiprocessor = 82, cudaDevAttrManagedMemory = 83,
             cudaDevAttrIsMultiGpuBoard = 84, cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
             cudaDevAttrPageableMemoryAccess = 88, cudaDevAttrConcurrentManagedAccess = 89,
             cudaDevAttrComputePreemptionSupported = 90,
             cudaDevAttrCanUseHostPointerForRegisteredMem = 91, cudaDevAttrCooperativeLaunch = 95,
             cudaDevAttrMaxSharedMemoryPerBlockOptin = 97, cudaDevAttrHostRegisterSupported = 99,
             cudaDevAttrMaxBlocksPerMultiprocessor = 106,
             cudaDevAttrReservedSharedMemoryPerBlock = 111, cudaDevAttrMemoryPoolsSupported = 115)
AGPUSIM_ENUM(cudaMemcpyKind, cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
             cudaMemcpyDeviceToDevice, cudaMemcpyDefault)
AGPUSIM_ENUM(cudaMemoryType, cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice,
             cudaMemoryTypeManaged)
AGPUSIM_ENUM(cudaStreamCaptureStatus, cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive,
             cudaStreamCaptureStatusInvalidated)
AGPUSIM_ENUM(cudaStreamCaptureMode, cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
             cudaStreamCaptureModeRelaxed)
AGPUSIM_ENUM(cudaFuncAttribute, cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
             cudaFuncAttributePreferredSharedMemoryCarveout = 9,
             cudaFuncAttributeNonPortableClusterSizeAllowed = 14)
AGPUSIM_ENUM(cudaSharedCarveout, cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxL1 = 0,
             cudaSharedmemCarveoutMaxShared = 100)
AGPUSIM_ENUM(cudaFuncCache, cudaFuncCachePreferNone, cudaFuncCachePreferShared,
             cudaFuncCachePreferL1, cudaFuncCachePreferEqual)
AGPUSIM_ENUM(cudaSharedMemConfig, cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte,
             cudaSharedMemBankSizeEightByte)
AGPUSIM_ENUM(cudaLimit, cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize,
             cudaLimitDevRuntimeSyncDepth, cudaLimitDevRuntimePendingLaunchCount,
             cudaLimitMaxL2FetchGranularity, cudaLimitPersistingL2CacheSize)
AGPUSIM_ENUM(cudaMemoryAdvise, cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly,
             cudaMemAdviseSetPreferredLocation, cudaMemAdviseUnsetPreferredLocation,
             cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy)
AGPUSIM_ENUM(cudaMemLocationType, cudaMemLocationTypeInvalid, cudaMemLocationTypeDevice,
             cudaMemLocationTypeHost)
AGPUSIM_ENUM(cudaMemPoolAttr, cudaMemPoolAttrReleaseThreshold = 4)
AGPUSIM_ENUM(cudaLaunchAttributeID, cudaLaunchAttributeCooperative = 2,
             cudaLaunchAttributeClusterDimension = 4, cudaLaunchAttributePriority = 8)
AGPUSIM_ENUM(
    : unsigned, cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2,
      cudaHostAllocWriteCombined = 4, cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1,
      cudaHostRegisterMapped = 2, cudaMemAttachGlobal = 1, cudaMemAttachHost = 2,
      cudaStreamDefault = 0, cudaStreamNonBlocking = 1, cudaEventDefault = 0,
      cudaEventBlockingSync = 1, cudaEventDisableTiming = 2, cudaEventInterprocess = 4,
      cudaDeviceScheduleAuto = 0, cudaDeviceScheduleSpin = 1, cudaDeviceScheduleYield = 2,
      cudaDeviceScheduleBlockingSync = 4, cudaDeviceMapHost = 8, cudaOccupancyDefault = 0)
enum { cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2 };

typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUmemPoolHandle_st* cudaMemPool_t;
typedef struct CUfunc_st* cudaFunction_t;
typedef struct CUkern_st* cudaKernel_t;
typedef struct cudaArray* cudaArray_t;
typedef void (*cudaHostFn_t)(void*);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void*);
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)

struct cudaPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};
struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
  long reserved[8];
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
  int maxDynamicSharedSizeBytes, preferredShmemCarveout, clusterDimMustBeSet;
  int requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
  int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed, reserved[16];
};
union cudaLaunchAttributeValue {
  char pad[64];
  int cooperative, priority;
  struct {
    unsigned x, y, z;
  } clusterDim;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  char pad[4];
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};
struct cudaUUID_t {
  char bytes[16];
};
struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int multiProcessorCount, integrated, canMapHostMemory, textures_and_surfaces[39];
  size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
  int asyncEngineCount, unifiedAddressing, memoryBusWidth, l2CacheSize;
  int persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
  int globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
  int hostNativeAtomicSupported, pageableMemoryAccess, concurrentManagedAccess;
  int computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, rest[75];
};
