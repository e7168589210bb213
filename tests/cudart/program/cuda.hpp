// What the programs need of CUDA's documented interface, declared here: no header of CUDA is
// needed.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
int cudaFuncGetAttributes(void* attributes, const void* host);

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};
using Handle = void*;  // handle of a stream, event or graph
enum : int { host_to_device = 1, device_to_host = 2, device_to_device = 3, by_address = 4 };
enum : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  invalid_configuration = 9,
  invalid_pitch = 12,
  invalid_function = 98,
  invalid_device = 101,
  invalid_ptx = 218,
  invalid_handle = 400,
  not_ready = 600,
  illegal_address = 700,
  launch_timeout = 702,
  already_registered = 712,
  too_large = 720,
  not_permitted = 800,
  not_supported = 801,
  capture_unsupported = 900,
};

void** __cudaRegisterFatBinary(const void* wrapper);
void __cudaRegisterFatBinaryEnd(void** code);
void __cudaRegisterFunction(void** code, const void* host, char* device, const char* name, int,
                            void*, void*, void*, void*, int*);
void __cudaRegisterVar(void** code, const void* host, char* device, const char* name, int,
                       std::size_t bytes, int constant, int);
void __cudaRegisterManagedVar(void** code, void** host, char* device, const char* name, int,
                              std::size_t bytes, int, int);
char __cudaInitModule(void** code);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, Handle stream);
int __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream);
int __cudaGetKernel(Handle* kernel, const void* host);
int __cudaLaunchKernel(Handle kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                       Handle stream);

int cudaMalloc(void** pointer, std::size_t bytes);
int cudaMallocAsync(void** pointer, std::size_t bytes, Handle stream);
int cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags);
int cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags);
int cudaFreeMipmappedArray(Handle array);
int cudaFree(void* pointer);
int cudaFreeAsync(void* pointer, Handle stream);
int cudaFreeHost(void* pointer);
int cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags);
int cudaHostUnregister(void* pointer);
int cudaMemGetInfo(std::size_t* free, std::size_t* total);
int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind);
int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, Handle stream);
int cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                 std::size_t width, std::size_t height, int kind);
int cudaMemset(void* to, int value, std::size_t bytes);
int cudaMemsetAsync(void* to, int value, std::size_t bytes, Handle stream);
int cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                       int kind);
int cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                         int kind);
int cudaLaunchKernel(const void* host, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                     Handle stream);
int cudaLaunchCooperativeKernel(const void* host, dim3 grid, dim3 block, void** arguments,
                                std::size_t shared, Handle stream);
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host, int threads,
                                                  std::size_t shared);
int cudaDeviceSynchronize();
int cudaDeviceReset();
int cudaDeviceSetLimit(int limit, std::size_t value);
int cudaDeviceEnablePeerAccess(int peer, unsigned flags);
int cudaDeviceGetAttribute(int* value, int attribute, int device);
int cudaGetLastError();
const char* cudaGetErrorName(int error);
int cudaStreamCreate(Handle* stream);
int cudaStreamCreateWithPriority(Handle* stream, unsigned flags, int priority);
int cudaStreamGetPriority(Handle stream, int* priority);
int cudaStreamDestroy(Handle stream);
int cudaStreamSynchronize(Handle stream);
int cudaStreamQuery(Handle stream);
int cudaStreamWaitEvent(Handle stream, Handle event, unsigned flags);
int cudaLaunchHostFunc(Handle stream, void (*function)(void*), void* data);
int cudaStreamAddCallback(Handle stream, void (*callback)(Handle, int, void*), void* data,
                          unsigned flags);
int cudaStreamBeginCapture(Handle stream, int mode);
int cudaStreamEndCapture(Handle stream, Handle* graph);
int cudaGraphInstantiate(Handle* exec, Handle graph, unsigned long long flags);
int cudaGraphCreate(Handle* graph, unsigned flags);
int cudaGraphClone(Handle* clone, Handle graph);
int cudaGraphAddKernelNode(Handle*, Handle graph, const Handle* after, std::size_t, const void*);
int cudaGraphAddMemcpyNode1D(Handle*, Handle graph, const Handle* after, std::size_t, void* to,
                             const void* from, std::size_t bytes, int kind);
int cudaGraphAddMemsetNode(Handle*, Handle graph, const Handle* after, std::size_t, const void*);
int cudaGraphAddHostNode(Handle*, Handle graph, const Handle* after, std::size_t, const void*);
int cudaGraphAddEmptyNode(Handle*, Handle graph, const Handle* after, std::size_t);
int cudaGraphAddDependencies(Handle graph, const Handle* from, const Handle* to, const void*,
                             std::size_t);
int cudaGraphGetNodes(Handle graph, Handle* nodes, std::size_t* count);
int cudaGraphGetRootNodes(Handle graph, Handle* nodes, std::size_t* count);
int cudaGraphExecKernelNodeSetParams(Handle exec, Handle node, const void*);
int cudaGraphLaunch(Handle exec, Handle stream);
int cudaGraphDestroy(Handle graph);
int cudaGraphExecDestroy(Handle exec);
int cudaEventCreate(Handle* event);
int cudaEventDestroy(Handle event);
int cudaEventQuery(Handle event);
int cudaEventSynchronize(Handle event);
int cudaEventRecord(Handle event, Handle stream);
int cudaEventElapsedTime(float* milliseconds, Handle begin, Handle end);
}
