// The driver's interface: what the runtime does under another name, and addresses of functions.
#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <string>
#include <string_view>

#include "agpusim/cudart/driver.hpp"

namespace agpusim::cudart {
namespace {

using HostFunctionOfDriver = void (*)(void*);
using CallbackOfDriver = void (*)(Stream*, Status, void*);

}  // namespace

// clang-format off
// What it needs, its name, that of the runtime, and the types of both.
AGPUSIM_SAME_1(nothing, cuDriverGetVersion, cudaDriverGetVersion, int*)
AGPUSIM_SAME_1(initialized, cuDeviceGetCount, cudaGetDeviceCount, int*)
AGPUSIM_SAME_3(initialized, cuDeviceGetAttribute, cudaDeviceGetAttribute, int*, int, int)
AGPUSIM_SAME_3(initialized, cuDeviceGetPCIBusId, cudaDeviceGetPCIBusId, char*, int, int)
AGPUSIM_SAME_3(initialized, cuDeviceCanAccessPeer, cudaDeviceCanAccessPeer, int*, int, int)
AGPUSIM_SAME_2(initialized, cuDeviceGetDefaultMemPool, cudaDeviceGetDefaultMemPool, Pool**, int)
AGPUSIM_SAME_2(initialized, cuDeviceGetMemPool, cudaDeviceGetMemPool, Pool**, int)
AGPUSIM_SAME_0(context, cuCtxSynchronize, cudaDeviceSynchronize)
AGPUSIM_SAME_2(context, cuCtxGetLimit, cudaDeviceGetLimit, std::size_t*, std::uint32_t)
AGPUSIM_SAME_2(context, cuCtxSetLimit, cudaDeviceSetLimit, std::uint32_t, std::size_t)
AGPUSIM_SAME_1(context, cuCtxGetCacheConfig, cudaDeviceGetCacheConfig, int*)
AGPUSIM_SAME_2(context, cuCtxGetStreamPriorityRange, cudaDeviceGetStreamPriorityRange, int*, int*)
AGPUSIM_SAME_2(context, cuMemGetInfo_v2, cudaMemGetInfo, std::size_t*, std::size_t*)
AGPUSIM_SAME_1(context, cuMemFree_v2, cudaFree, void*)
AGPUSIM_SAME_3(context, cuMemAllocManaged, cudaMallocManaged, void**, std::size_t, std::uint32_t)
AGPUSIM_SAME_3(context, cuMemAllocAsync, cudaMallocAsync, void**, std::size_t, Stream*)
AGPUSIM_SAME_4(context, cuMemAllocFromPoolAsync, cudaMallocFromPoolAsync, void**, std::size_t, Pool*, Stream*)
AGPUSIM_SAME_2(context, cuMemFreeAsync, cudaFreeAsync, void*, Stream*)
AGPUSIM_SAME_2(context, cuMemPoolCreate, cudaMemPoolCreate, Pool**, const void*)
AGPUSIM_SAME_3(context, cuMemHostAlloc, cudaHostAlloc, void**, std::size_t, std::uint32_t)
AGPUSIM_SAME_2(context, cuMemAllocHost_v2, cudaMallocHost, void**, std::size_t)
AGPUSIM_SAME_1(context, cuMemFreeHost, cudaFreeHost, void*)
AGPUSIM_SAME_3(context, cuMemHostRegister_v2, cudaHostRegister, void*, std::size_t, std::uint32_t)
AGPUSIM_SAME_1(context, cuMemHostUnregister, cudaHostUnregister, void*)
AGPUSIM_SAME_3(context, cuMemHostGetDevicePointer_v2, cudaHostGetDevicePointer, void**, void*, std::uint32_t)
AGPUSIM_SAME_2(context, cuMemHostGetFlags, cudaHostGetFlags, std::uint32_t*, void*)
AGPUSIM_SAME_2(context, cuStreamCreate, cudaStreamCreateWithFlags, Stream**, std::uint32_t)
AGPUSIM_SAME_3(context, cuStreamCreateWithPriority, cudaStreamCreateWithPriority, Stream**, std::uint32_t, int)
AGPUSIM_SAME_1(context, cuStreamDestroy_v2, cudaStreamDestroy, Stream*)
AGPUSIM_SAME_1(context, cuStreamSynchronize, cudaStreamSynchronize, Stream*)
AGPUSIM_SAME_1(context, cuStreamQuery, cudaStreamQuery, Stream*)
AGPUSIM_SAME_3(context, cuStreamWaitEvent, cudaStreamWaitEvent, Stream*, Event*, std::uint32_t)
AGPUSIM_SAME_2(context, cuStreamGetFlags, cudaStreamGetFlags, Stream*, std::uint32_t*)
AGPUSIM_SAME_2(context, cuStreamGetPriority, cudaStreamGetPriority, Stream*, int*)
AGPUSIM_SAME_2(context, cuStreamGetId, cudaStreamGetId, Stream*, unsigned long long*)
AGPUSIM_SAME_2(context, cuStreamGetDevice, cudaStreamGetDevice, Stream*, int*)
AGPUSIM_SAME_4(context, cuStreamAddCallback, cudaStreamAddCallback, Stream*, CallbackOfDriver, void*, std::uint32_t)
AGPUSIM_SAME_3(context, cuLaunchHostFunc, cudaLaunchHostFunc, Stream*, HostFunctionOfDriver, void*)
AGPUSIM_SAME_2(context, cuStreamBeginCapture_v2, cudaStreamBeginCapture, Stream*, int)
AGPUSIM_SAME_2(context, cuStreamEndCapture, cudaStreamEndCapture, Stream*, Graph**)
AGPUSIM_SAME_2(context, cuStreamIsCapturing, cudaStreamIsCapturing, Stream*, CaptureStatus*)
AGPUSIM_SAME_1(context, cuThreadExchangeStreamCaptureMode, cudaThreadExchangeStreamCaptureMode, int*)
AGPUSIM_SAME_2(context, cuEventCreate, cudaEventCreateWithFlags, Event**, std::uint32_t)
AGPUSIM_SAME_1(context, cuEventDestroy_v2, cudaEventDestroy, Event*)
AGPUSIM_SAME_2(context, cuEventRecord, cudaEventRecord, Event*, Stream*)
AGPUSIM_SAME_3(context, cuEventRecordWithFlags, cudaEventRecordWithFlags, Event*, Stream*, std::uint32_t)
AGPUSIM_SAME_1(context, cuEventSynchronize, cudaEventSynchronize, Event*)
AGPUSIM_SAME_1(context, cuEventQuery, cudaEventQuery, Event*)
AGPUSIM_SAME_3(context, cuEventElapsedTime, cudaEventElapsedTime, float*, Event*, Event*)
AGPUSIM_SAME_2(context, cuGraphCreate, cudaGraphCreate, Graph**, std::uint32_t)
AGPUSIM_SAME_1(context, cuGraphDestroy, cudaGraphDestroy, Graph*)
AGPUSIM_SAME_3(context, cuGraphInstantiateWithFlags, cudaGraphInstantiateWithFlags, GraphExec**, Graph*, unsigned long long)
AGPUSIM_SAME_2(context, cuGraphLaunch, cudaGraphLaunch, GraphExec*, Stream*)
AGPUSIM_SAME_1(context, cuGraphExecDestroy, cudaGraphExecDestroy, GraphExec*)
AGPUSIM_SAME_2(context, cuFuncGetName, cudaFuncGetName, const char**, const void*)
AGPUSIM_SAME_2(context, cuKernelGetName, cudaFuncGetName, const char**, const void*)
AGPUSIM_SAME_3(context, cuFuncSetAttribute, cudaFuncSetAttribute, const void*, FunctionAttribute, int)
AGPUSIM_SAME_4(context, cuOccupancyMaxActiveBlocksPerMultiprocessor, cudaOccupancyMaxActiveBlocksPerMultiprocessor, int*, const void*, int, std::size_t)

// Versions that a program cannot tell apart.
AGPUSIM_ALSO(cuEventElapsedTime_v2, cuEventElapsedTime)
AGPUSIM_ALSO(cuEventDestroy, cuEventDestroy_v2)
AGPUSIM_ALSO(cuStreamDestroy, cuStreamDestroy_v2)
AGPUSIM_ALSO(cuStreamBeginCapture, cuStreamBeginCapture_v2)
AGPUSIM_ALSO(cuMemHostRegister, cuMemHostRegister_v2)
// clang-format on

namespace {

/// Versions whose callers pass other arguments: the version of CUDA from which on a name means
/// them.
struct Version {
  std::string_view name;
  std::string_view suffix;
  int since;
};
constexpr auto versions = std::to_array<Version>({{"cuCtxCreate", "_v3", 11040},
                                                  {"cuCtxCreate", "_v4", 12050},
                                                  {"cuGetProcAddress", "_v2", 12000},
                                                  {"cuStreamGetCtx", "_v2", 12050},
                                                  {"cuCtxGetDevice", "_v2", 13000},
                                                  {"cuCtxSynchronize", "_v2", 13000}});

int since(std::string_view name, std::string_view suffix) {
  constexpr int of_second = 3020;  // CUDA 3.2
  const auto* const row = std::find_if(versions.begin(), versions.end(), [&](const Version& each) {
    return each.name == name && each.suffix == suffix;
  });
  return row != versions.end() ? row->since : suffix.empty() ? 0 : of_second;
}

}  // namespace

AGPUSIM_CUDART Status cuGetProcAddress_v2(const char* name, void** function, int version,
                                          std::uint64_t flags, std::uint32_t* found) {
  return driver_call(Needs::nothing, [&](Runtime&) {
    constexpr int newest = 13000;
    constexpr std::uint64_t per_thread = 2;  // CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM
    enum : std::uint32_t { is_found, is_unknown, is_too_new };
    required(name);
    required(function) = nullptr;
    if (version > newest) throw Status::invalid_value;
    Dl_info own;
    dladdr(reinterpret_cast<void*>(&cuGetProcAddress_v2), &own);
    static void* const library = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    std::uint32_t state = is_unknown;
    const bool is_of_driver = std::string_view(name).starts_with("cu") && name[2] != 'd';
    for (const std::string_view suffix : {"_v4", "_v3", "_v2", ""}) {
      const std::string versioned = name + std::string(suffix);
      void* at = dlsym(library, versioned.c_str());
      if (at == nullptr || !is_of_driver) continue;
      state = is_too_new;
      if (version < since(name, suffix)) continue;
      for (const char* const of_thread : {"_ptsz", "_ptds"}) {
        void* const other = dlsym(library, (versioned + of_thread).c_str());
        if ((flags & per_thread) != 0 && other != nullptr) at = other;
      }
      *function = at;
      state = is_found;
      break;
    }
    if (found != nullptr) *found = state;
  });
}

AGPUSIM_CUDART Status cuGetProcAddress(const char* name, void** function, int version,
                                       std::uint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

}  // namespace agpusim::cudart
