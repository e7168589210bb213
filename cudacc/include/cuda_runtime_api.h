#pragma once

#include "agpusim_cc/driver_types.h"

// agpusim's libcudart has these functions of the runtime.
#define CUDART_VERSION 13000

extern "C" {
#define AGPUSIM_API cudaError_t
AGPUSIM_API cudaGetLastError();
AGPUSIM_API cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

AGPUSIM_API cudaGetDeviceCount(int* count);
AGPUSIM_API cudaGetDevice(int* device);
AGPUSIM_API cudaSetDevice(int device);
AGPUSIM_API cudaInitDevice(int device, unsigned device_flags, unsigned flags);
AGPUSIM_API cudaChooseDevice(int* device, const cudaDeviceProp* wanted);
AGPUSIM_API cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
AGPUSIM_API cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
AGPUSIM_API cudaDeviceGetPCIBusId(char* text, int length, int device);
AGPUSIM_API cudaDeviceSynchronize();
AGPUSIM_API cudaDeviceReset();
AGPUSIM_API cudaRuntimeGetVersion(int* version);
AGPUSIM_API cudaDriverGetVersion(int* version);
AGPUSIM_API cudaDeviceGetLimit(size_t* value, cudaLimit limit);
AGPUSIM_API cudaDeviceSetLimit(cudaLimit limit, size_t value);
AGPUSIM_API cudaDeviceCanAccessPeer(int* can, int device, int peer);
AGPUSIM_API cudaDeviceEnablePeerAccess(int peer, unsigned flags);
AGPUSIM_API cudaDeviceDisablePeerAccess(int peer);
AGPUSIM_API cudaGetDeviceFlags(unsigned* flags);
AGPUSIM_API cudaSetDeviceFlags(unsigned flags);
AGPUSIM_API cudaDeviceGetCacheConfig(cudaFuncCache* config);
AGPUSIM_API cudaDeviceSetCacheConfig(cudaFuncCache config);
AGPUSIM_API cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
AGPUSIM_API cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
AGPUSIM_API cudaCtxResetPersistingL2Cache();
AGPUSIM_API cudaProfilerStart();
AGPUSIM_API cudaProfilerStop();

AGPUSIM_API cudaMalloc(void** pointer, size_t bytes);
AGPUSIM_API cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream);
AGPUSIM_API cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream);
AGPUSIM_API cudaMallocManaged(void** pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal);
AGPUSIM_API cudaMallocHost(void** pointer, size_t bytes);
AGPUSIM_API cudaHostAlloc(void** pointer, size_t bytes, unsigned flags);
AGPUSIM_API cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
AGPUSIM_API cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent);
AGPUSIM_API cudaFree(void* pointer);
AGPUSIM_API cudaFreeHost(void* pointer);
AGPUSIM_API cudaFreeAsync(void* pointer, cudaStream_t stream);
AGPUSIM_API cudaHostRegister(void* pointer, size_t bytes, unsigned flags);
AGPUSIM_API cudaHostUnregister(void* pointer);
AGPUSIM_API cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
AGPUSIM_API cudaHostGetFlags(unsigned* flags, void* host);
AGPUSIM_API cudaMemGetInfo(size_t* free, size_t* total);
AGPUSIM_API cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
AGPUSIM_API cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
AGPUSIM_API cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
AGPUSIM_API cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
AGPUSIM_API cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
AGPUSIM_API cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
AGPUSIM_API cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream = 0);
AGPUSIM_API cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location);

AGPUSIM_API cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
AGPUSIM_API cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = 0);
AGPUSIM_API cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes);
AGPUSIM_API cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream = 0);
AGPUSIM_API cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind);
AGPUSIM_API cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream = 0);
AGPUSIM_API cudaMemcpy3D(const cudaMemcpy3DParms* what);
AGPUSIM_API cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream = 0);
AGPUSIM_API cudaMemset(void* to, int value, size_t bytes);
AGPUSIM_API cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream = 0);
AGPUSIM_API cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height);
AGPUSIM_API cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream = 0);
AGPUSIM_API cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent);
AGPUSIM_API cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                              cudaStream_t stream = 0);
AGPUSIM_API cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes,
                               size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice);
AGPUSIM_API cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
AGPUSIM_API cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream = 0);
AGPUSIM_API cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream = 0);
AGPUSIM_API cudaGetSymbolAddress(void** address, const void* symbol);
AGPUSIM_API cudaGetSymbolSize(size_t* bytes, const void* symbol);

AGPUSIM_API cudaStreamCreate(cudaStream_t* stream);
AGPUSIM_API cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
AGPUSIM_API cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
AGPUSIM_API cudaStreamDestroy(cudaStream_t stream);
AGPUSIM_API cudaStreamSynchronize(cudaStream_t stream);
AGPUSIM_API cudaStreamQuery(cudaStream_t stream);
AGPUSIM_API cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
AGPUSIM_API cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags);
AGPUSIM_API cudaStreamGetFlags(cudaStream_t stream, unsigned* flags);
AGPUSIM_API cudaStreamGetPriority(cudaStream_t stream, int* priority);
AGPUSIM_API cudaStreamGetId(cudaStream_t stream, unsigned long long* number);
AGPUSIM_API cudaStreamGetDevice(cudaStream_t stream, int* device);
AGPUSIM_API cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes = 0,
                                     unsigned flags = 4);
AGPUSIM_API cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
AGPUSIM_API cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
AGPUSIM_API cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
AGPUSIM_API cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode);
AGPUSIM_API cudaEventCreate(cudaEvent_t* event);
AGPUSIM_API cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
AGPUSIM_API cudaEventDestroy(cudaEvent_t event);
AGPUSIM_API cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
AGPUSIM_API cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = 0,
                                     unsigned flags = 0);
AGPUSIM_API cudaEventSynchronize(cudaEvent_t event);
AGPUSIM_API cudaEventQuery(cudaEvent_t event);
AGPUSIM_API cudaEventElapsedTime(float* milliseconds, cudaEvent_t first, cudaEvent_t last);
AGPUSIM_API cudaGraphCreate(cudaGraph_t* graph, unsigned flags);
AGPUSIM_API cudaGraphDestroy(cudaGraph_t graph);
AGPUSIM_API cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags = 0);
AGPUSIM_API cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags = 0);
AGPUSIM_API cudaGraphExecDestroy(cudaGraphExec_t exec);
AGPUSIM_API cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
AGPUSIM_API cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);

AGPUSIM_API cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
AGPUSIM_API cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t dynamic_shared = 0, cudaStream_t stream = 0);
AGPUSIM_API cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t dynamic_shared = 0,
                                        cudaStream_t stream = 0);
AGPUSIM_API cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments);
AGPUSIM_API cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function);
AGPUSIM_API cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value);
AGPUSIM_API cudaFuncSetCacheConfig(const void* function, cudaFuncCache config);
AGPUSIM_API cudaFuncGetName(const char** name, const void* function);
AGPUSIM_API cudaGetKernel(cudaKernel_t* kernel, const void* function);
AGPUSIM_API cudaGetFuncBySymbol(cudaFunction_t* kernel, const void* function);
AGPUSIM_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, size_t dynamic_shared);
AGPUSIM_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, size_t dynamic_shared, unsigned flags);
// The compiler calls it at <<<...>>>.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t dynamic_shared = 0,
                                     cudaStream_t stream = 0);
}

#include "agpusim_cc/overloads.h"
