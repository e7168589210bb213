#pragma once

// These overloads take pointers, variables and kernels of any type.

#define AGPUSIM_OVERLOAD static inline cudaError_t
#define AGPUSIM_UNTYPED(pointer) (void**)(void*)(pointer)

AGPUSIM_OVERLOAD cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
// CUDA 12 has these.
AGPUSIM_OVERLOAD cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                      cudaStream_t stream = 0) {
  const cudaMemLocation where = {device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                                 device};
  return cudaMemPrefetchAsync(pointer, bytes, where, 0, stream);
}
AGPUSIM_OVERLOAD cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                               int device) {
  const cudaMemLocation where = {device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                                 device};
  return cudaMemAdvise(pointer, bytes, advice, where);
}
AGPUSIM_OVERLOAD cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, void*, char*,
                                      size_t) {
  return cudaGraphInstantiate(exec, graph, 0ULL);
}
static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return {width, height, depth};
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
static inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width,
                                                 size_t height) {
  return {pointer, pitch, width, height};
}

template <class T>
AGPUSIM_OVERLOAD cudaMalloc(T** pointer, size_t bytes) {
  return cudaMalloc(AGPUSIM_UNTYPED(pointer), bytes);
}
template <class T>
AGPUSIM_OVERLOAD cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(AGPUSIM_UNTYPED(pointer), bytes, stream);
}
template <class T>
AGPUSIM_OVERLOAD cudaMallocManaged(T** pointer, size_t bytes, unsigned flags = 1) {
  return cudaMallocManaged(AGPUSIM_UNTYPED(pointer), bytes, flags);
}
template <class T>
AGPUSIM_OVERLOAD cudaMallocHost(T** pointer, size_t bytes, unsigned flags = 0) {
  return cudaHostAlloc(AGPUSIM_UNTYPED(pointer), bytes, flags);
}
template <class T>
AGPUSIM_OVERLOAD cudaHostAlloc(T** pointer, size_t bytes, unsigned flags) {
  return cudaHostAlloc(AGPUSIM_UNTYPED(pointer), bytes, flags);
}
template <class T>
AGPUSIM_OVERLOAD cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch(AGPUSIM_UNTYPED(pointer), pitch, width, height);
}
template <class T>
AGPUSIM_OVERLOAD cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
  return cudaHostGetDevicePointer(AGPUSIM_UNTYPED(device), host, flags);
}
template <class T>
AGPUSIM_OVERLOAD cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes,
                                    size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void*)&symbol, from, bytes, offset, kind);
}
template <class T>
AGPUSIM_OVERLOAD cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void*)&symbol, bytes, offset, kind);
}
template <class T>
AGPUSIM_OVERLOAD cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes,
                                         size_t offset = 0,
                                         cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                         cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void*)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
AGPUSIM_OVERLOAD cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes,
                                           size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                           cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void*)&symbol, bytes, offset, kind, stream);
}
template <class T>
AGPUSIM_OVERLOAD cudaGetSymbolAddress(void** address, const T& symbol) {
  return cudaGetSymbolAddress(address, (const void*)&symbol);
}
template <class T>
AGPUSIM_OVERLOAD cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return cudaGetSymbolSize(bytes, (const void*)&symbol);
}

template <class F>
AGPUSIM_OVERLOAD cudaLaunchKernel(F* function, dim3 grid, dim3 block, void** arguments,
                                  size_t dynamic_shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void*)function, grid, block, arguments, dynamic_shared, stream);
}
template <class F>
AGPUSIM_OVERLOAD cudaLaunchCooperativeKernel(F* function, dim3 grid, dim3 block, void** arguments,
                                             size_t dynamic_shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void*)function, grid, block, arguments, dynamic_shared,
                                     stream);
}
template <class... Parameters, class... Arguments>
AGPUSIM_OVERLOAD cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                    void (*function)(Parameters...), Arguments&&... arguments) {
  return [&](Parameters... values) {
    void* places[] = {(void*)&values..., nullptr};
    return cudaLaunchKernelExC(config, (const void*)function, places);
  }(static_cast<Arguments&&>(arguments)...);
}
template <class F>
AGPUSIM_OVERLOAD cudaFuncGetAttributes(cudaFuncAttributes* attributes, F* function) {
  return cudaFuncGetAttributes(attributes, (const void*)function);
}
template <class F>
AGPUSIM_OVERLOAD cudaFuncSetAttribute(F* function, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute((const void*)function, attribute, value);
}
template <class F>
AGPUSIM_OVERLOAD cudaFuncSetCacheConfig(F* function, cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void*)function, config);
}
template <class F>
AGPUSIM_OVERLOAD cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F function, int threads,
                                                               size_t dynamic_shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)function, threads,
                                                       dynamic_shared);
}
/// The block has the most resident threads of a multiprocessor, and is the largest such one.
template <class F, class Shared>
AGPUSIM_OVERLOAD cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, F function,
                                                                Shared shared_of, int most = 0) {
  cudaFuncAttributes of_kernel;
  cudaDeviceProp device;
  cudaError_t error = cudaFuncGetAttributes(&of_kernel, (const void*)function);
  if (error == cudaSuccess) error = cudaGetDeviceProperties(&device, 0);
  if (error != cudaSuccess) return error;
  if (most <= 0 || most > of_kernel.maxThreadsPerBlock) most = of_kernel.maxThreadsPerBlock;
  int best = 0;
  for (int threads = (most + 31) / 32 * 32; threads > 0; threads -= 32) {
    int resident = 0;
    const int size = threads < most ? threads : most;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, (const void*)function, size,
                                                          shared_of(size));
    if (error != cudaSuccess) return error;
    if (resident * size <= best) continue;
    best = resident * size;
    *block = size;
    *grid = resident * device.multiProcessorCount;
  }
  return best > 0 ? cudaSuccess : cudaErrorInvalidConfiguration;
}
template <class F>
AGPUSIM_OVERLOAD cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F function,
                                                    size_t dynamic_shared = 0, int most = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      grid, block, function, [=](int) { return dynamic_shared; }, most);
}
