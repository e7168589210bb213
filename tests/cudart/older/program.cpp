// A program as nvcc of CUDA 12 or 11.8 builds it: bound to that runtime's names and versions. Sizes
// and places are those of driver_types.h of CUDA 12.4 and 11.8 (offsetof, sizeof).
#include <algorithm>
#include <array>
#include <cstring>
#include <dlfcn.h>
#include <string_view>

#include "agpusim/tests/cudart/program/expect.hpp"
#include "agpusim/tests/cudart/program/registered.hpp"

extern "C" {
int cudaEventElapsedTime_v2(float* milliseconds, Handle begin, Handle end);
int cudaGetDeviceProperties(void* properties, int device);
int cudaGetDeviceProperties_v2(void* properties, int device);
int cudaGraphAddNode_v2(Handle* node, Handle graph, const Handle*, const void*, std::size_t, void*);
int cudaMemAdvise(const void* pointer, std::size_t bytes, int advice, int device);
int cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device, Handle stream);
int cudaPointerGetAttributes(void* attributes, const void* pointer);
int cudaRuntimeGetVersion(int* version);
int cudaThreadExit();
int cudaThreadSynchronize();
}

namespace agpusim::test {
namespace {

constexpr bool is_12 = AGPUSIM_CUDA_VERSION >= 12000;
constexpr std::size_t properties_11_bytes = 728;
constexpr std::size_t properties_12_bytes = 1032;

/// A structure of CUDA's, and bytes behind it that stay as they are.
struct Structure {
  explicit Structure(std::size_t size) : bytes(size) { memory.fill(untouched); }
  void ends() const {
    EXPECT(memory[bytes - 1] != untouched);
    EXPECT(std::all_of(memory.begin() + static_cast<std::ptrdiff_t>(bytes), memory.end(),
                       [](char byte) { return byte == untouched; }));
  }
  template <class T = int>
  T at(std::size_t offset) const {
    T value;
    std::memcpy(&value, memory.data() + offset, sizeof value);
    return value;
  }
  static constexpr char untouched = 0x5a;
  std::size_t bytes;
  std::array<char, 2048> memory{};
};

int attribute(int number) {
  int value = -1;
  EXPECT(cudaDeviceGetAttribute(&value, number, 0) == success);
  return value;
}

void check_properties(const Structure& p) {
  p.ends();
  EXPECT(std::string_view(p.memory.data()).ends_with("NVIDIA H200"));
  EXPECT(p.at(308) == 32);                   // warpSize
  EXPECT(p.at(348) == attribute(13));        // clockRate
  EXPECT(p.at<std::size_t>(352) == 65536);   // totalConstMem
  EXPECT(p.at(360) == 9 && p.at(364) == 0);  // major, minor
  EXPECT(p.at(384) == 1);                    // deviceOverlap
  EXPECT(p.at(388) == 132);                  // multiProcessorCount
  EXPECT(p.at(392) == 0 && p.at(404) == 0);  // kernelExecTimeoutEnabled, computeMode
  EXPECT(p.at(608) == attribute(36));        // memoryClockRate
  EXPECT(p.at(612) == 6144);                 // memoryBusWidth
  EXPECT(p.at(624) == 2048);                 // maxThreadsPerMultiProcessor
  EXPECT(p.at<std::size_t>(640) == 233472);  // sharedMemPerMultiprocessor
  EXPECT(p.at(668) == 2);                    // singleToDoublePrecisionPerfRatio
  EXPECT(p.at(688) == 1 && p.at(692) == 0);  // cooperativeLaunch, cooperativeMultiDeviceLaunch
  EXPECT(p.at<std::size_t>(696) == 232448);  // sharedMemPerBlockOptin
  EXPECT(p.at<std::size_t>(720) == 1024);    // reservedSharedMemPerBlock
}

void properties() {
  Structure old(properties_11_bytes);
  EXPECT(cudaGetDeviceProperties(old.memory.data(), 0) == success);
  check_properties(old);
  EXPECT(cudaGetDeviceProperties(nullptr, 0) == invalid_value &&
         cudaGetLastError() == invalid_value);
  EXPECT(cudaGetDeviceProperties(old.memory.data(), 1) == invalid_device);
  EXPECT(cudaGetLastError() == invalid_device);
  if constexpr (is_12) {
    Structure all(properties_12_bytes);
    EXPECT(cudaGetDeviceProperties_v2(all.memory.data(), 0) == success);
    check_properties(all);
    EXPECT(all.at(728) == 1);  // hostRegisterSupported
  }
}

void versions() {
  int version = 0;
  EXPECT(cudaRuntimeGetVersion(&version) == success && version == AGPUSIM_CUDA_VERSION);
  void* const library = dlopen(is_12 ? "libcudart.so.12" : "libcudart.so.11.0", RTLD_NOW);
  using Function = int (*)(int*);
  const auto found = reinterpret_cast<Function>(dlsym(library, "cudaRuntimeGetVersion"));
  EXPECT(found(&version) == success && version == AGPUSIM_CUDA_VERSION);
  const auto driver = reinterpret_cast<Function>(dlsym(library, "cudaDriverGetVersion"));
  EXPECT(driver(&version) == success && version >= AGPUSIM_CUDA_VERSION);
}

/// The driver and the runtime know the same memory.
void memory_of_driver() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  const auto allocate =
      reinterpret_cast<int (*)(void**, std::size_t)>(dlsym(library, "cuMemAlloc_v2"));
  void* pointer = nullptr;
  EXPECT(cudaFree(nullptr) == success && allocate(&pointer, 64) == success);
  Structure known(24);  // cudaPointerAttributes
  EXPECT(cudaPointerGetAttributes(known.memory.data(), pointer) == success);
  known.ends();
  EXPECT(known.at(0) == 2 && known.at<void*>(8) == pointer);  // cudaMemoryTypeDevice
  EXPECT(cudaFree(pointer) == success);
}

void memory_and_events() {
  std::array<int, 64> values{};
  values.fill(7);
  void* a = nullptr;
  std::array<Handle, 2> event{};
  for (Handle& each : event) EXPECT(cudaEventCreate(&each) == success);
  EXPECT(cudaMallocManaged(&a, sizeof values, 1) == success);
  EXPECT(cudaMemAdvise(a, sizeof values, 1, 0) == success);
  EXPECT(cudaEventRecord(event[0], nullptr) == success);
  EXPECT(cudaMemcpy(a, values.data(), sizeof values, host_to_device) == success);
  EXPECT(cudaMemPrefetchAsync(a, sizeof values, 0, nullptr) == success);
  EXPECT(cudaEventRecord(event[1], nullptr) == success);
  EXPECT(cudaEventSynchronize(event[1]) == success && cudaThreadSynchronize() == success);
  EXPECT(static_cast<int*>(a)[63] == 7);
  std::array<float, 2> milliseconds{};
  EXPECT(cudaEventElapsedTime(milliseconds.data(), event[0], event[1]) == success);
  EXPECT(milliseconds[0] > 0);
  if constexpr (is_12) {
    EXPECT(cudaEventElapsedTime_v2(&milliseconds[1], event[0], event[1]) == success);
    EXPECT(milliseconds[0] == milliseconds[1]);
    EXPECT(cudaGraphAddNode_v2(nullptr, nullptr, nullptr, nullptr, 0, nullptr) == not_supported);
  }
}

void kernel() {
  static const Registered code(
      fat_binary(".version 7.8\n.target sm_90\n.address_size 64\n"
                 ".visible .entry set(.param .u64 to) { .reg .u64 %a; ld.param.u64 %a, [to];"
                 "st.global.u32 [%a], 42; ret; }"));
  static const char stand = 0;
  code.kernel(&stand, "set");
  Structure known(is_12 ? 144 : 56);  // cudaFuncAttributes
  EXPECT(cudaFuncGetAttributes(known.memory.data(), &stand) == success);
  known.ends();
  EXPECT(known.at(24) == 1024);  // maxThreadsPerBlock
  EXPECT(cudaFuncGetAttributes(nullptr, &stand) == invalid_value &&
         cudaGetLastError() == invalid_value);
  void* to = nullptr;
  EXPECT(cudaMalloc(&to, sizeof(int)) == success);
  std::array<void*, 1> arguments = {&to};
  EXPECT(cudaLaunchKernel(&stand, {1}, {1}, arguments.data(), 0, nullptr) == success);
  int value = 0;
  EXPECT(cudaMemcpy(&value, to, sizeof value, device_to_host) == success && value == 42);
}

}  // namespace
}  // namespace agpusim::test

int main() {
  using namespace agpusim::test;
  versions();
  properties();
  kernel();
  memory_of_driver();
  memory_and_events();
  return cudaThreadExit();
}
