#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "agpusim/tests/cudart/program/cuda.hpp"
#include "agpusim/tests/cudart/program/expect.hpp"
#include "agpusim/tests/cudart/program/programs.hpp"

namespace agpusim::test {

void wrong_arguments() {
  void* device = nullptr;
  void* pinned = nullptr;
  void* managed = nullptr;
  std::array<char, 1024> own{};
  EXPECT(cudaMalloc(&device, 512) == success);
  EXPECT(cudaHostAlloc(&pinned, 512, 0) == success);
  EXPECT(cudaFreeHost(device) == invalid_value);
  EXPECT(cudaFree(pinned) == invalid_value);
  EXPECT(cudaHostAlloc(&managed, SIZE_MAX, 0) == out_of_memory);
  EXPECT(cudaMallocManaged(&managed, 0, 1) == invalid_value);
  EXPECT(cudaMallocManaged(&managed, 512, 0) == invalid_value);
  EXPECT(cudaHostRegister(own.data(), 512, 0) == success);
  EXPECT(cudaHostRegister(own.data() + 511, 512, 0) == already_registered);
  EXPECT(cudaMemcpy2D(device, 4, own.data(), 16, 8, 2, host_to_device) == invalid_pitch);
  int value = 0;
  EXPECT(cudaDeviceGetAttribute(&value, 1000, 0) == invalid_value);
  EXPECT(cudaDeviceEnablePeerAccess(1, 0) == invalid_device);
  Handle stream = nullptr;
  EXPECT(cudaStreamCreateWithPriority(&stream, 0, -100) == success);
  EXPECT(cudaStreamGetPriority(stream, &value) == success);
  EXPECT(value == -5);
}

void destroyed_handles() {
  Handle stream = nullptr;
  Handle event = nullptr;
  Handle graph = nullptr;
  Handle exec = nullptr;
  EXPECT(cudaStreamCreate(&stream) == success);
  EXPECT(cudaEventCreate(&event) == success);
  EXPECT(cudaStreamBeginCapture(stream, 0) == success);
  EXPECT(cudaEventRecord(event, stream) == success);
  EXPECT(cudaStreamEndCapture(stream, &graph) == success);
  EXPECT(cudaGraphInstantiate(&exec, graph, 0) == success);
  EXPECT(cudaEventDestroy(event) == success);
  EXPECT(cudaGraphLaunch(exec, stream) == success);
  EXPECT(cudaEventDestroy(event) == invalid_handle);
  EXPECT(cudaEventRecord(event, stream) == invalid_handle);
  EXPECT(cudaStreamDestroy(stream) == success);
  EXPECT(cudaStreamDestroy(stream) == invalid_handle);
  EXPECT(cudaEventRecord(event, stream) == invalid_handle);
  EXPECT(cudaGraphExecDestroy(exec) == success);
  EXPECT(cudaGraphLaunch(exec, nullptr) == invalid_value);
}

void host_functions() {
  static std::atomic<bool> goes_on = false;
  static std::atomic<int> calls = 0;
  static std::atomic<int> inside = success;
  const auto waits = [](void* /*data*/) {
    while (!goes_on) std::this_thread::yield();
    inside = cudaStreamCreate(nullptr);
    ++calls;
  };
  const auto callback = [](Handle /*stream*/, int /*status*/, void* /*data*/) { ++calls; };
  std::array<Handle, 2> stream{};
  Handle event = nullptr;
  Handle graph = nullptr;
  Handle exec = nullptr;
  void* device = nullptr;
  std::array<char, 4> own = {'a', 'a', 'a', 'a'};
  for (Handle& each : stream) EXPECT(cudaStreamCreate(&each) == success);
  EXPECT(cudaEventCreate(&event) == success);
  EXPECT(cudaMalloc(&device, 4) == success);
  for (const bool is_captured : {false, true}) {
    goes_on = false;
    calls = 0;
    if (is_captured) EXPECT(cudaStreamBeginCapture(stream[0], 0) == success);
    EXPECT(cudaLaunchHostFunc(stream[0], waits, nullptr) == success);
    if (is_captured) {
      EXPECT(cudaStreamAddCallback(stream[0], callback, nullptr, 0) == capture_unsupported);
      EXPECT(cudaStreamEndCapture(stream[0], &graph) == success);
      EXPECT(cudaGraphInstantiate(&exec, graph, 0) == success);
      EXPECT(cudaGraphLaunch(exec, stream[0]) == success);
    }
    // What comes later in the stream waits, and has the values of now.
    own.fill('a');
    EXPECT(cudaMemcpyAsync(device, own.data(), 4, host_to_device, stream[0]) == success);
    own.fill('b');
    EXPECT(cudaEventRecord(event, stream[0]) == success);
    EXPECT(cudaStreamQuery(stream[0]) == not_ready);
    EXPECT(cudaStreamQuery(nullptr) == not_ready);
    EXPECT(cudaEventQuery(event) == not_ready);
    EXPECT(cudaStreamQuery(stream[1]) == success);
    EXPECT(cudaStreamSynchronize(stream[1]) == success);
    EXPECT(cudaStreamWaitEvent(stream[1], event, 0) == success);
    EXPECT(cudaStreamQuery(stream[1]) == not_ready);
    EXPECT(cudaStreamAddCallback(stream[1], callback, nullptr, 0) == success);
    EXPECT(calls == 0);
    goes_on = true;
    EXPECT(cudaMemcpy(own.data(), device, 4, device_to_host) == success);
    EXPECT(calls == 2 && inside == not_permitted && own[3] == 'a');
    for (const Handle each : stream) EXPECT(cudaStreamQuery(each) == success);
    EXPECT(cudaEventQuery(event) == success && cudaGetLastError() != not_ready);
  }
}

void pinned_copies() {
  void* device = nullptr;
  void* pinned = nullptr;
  std::array<char, 100> own{};
  EXPECT(cudaMalloc(&device, 100) == success);
  EXPECT(cudaHostAlloc(&pinned, 100, 0) == success);
  EXPECT(cudaMemcpy(device, pinned, 100, by_address) == success);
  EXPECT(cudaHostRegister(own.data(), 100, 0) == success);
  EXPECT(cudaHostUnregister(own.data()) == success);
  EXPECT(cudaMemcpy(device, own.data(), 100, by_address) == success);
}

void zeros() {
  for (const std::size_t bytes : {std::size_t{1000}, std::size_t{4} << 20}) {
    for (int i = 0; i < 3; ++i) {
      std::array<void*, 2> all{};
      EXPECT(cudaMallocManaged(&all[0], bytes, 1) == success);
      EXPECT(cudaHostAlloc(&all[1], bytes, 0) == success);
      for (void* const each : all) {
        EXPECT(reinterpret_cast<std::uintptr_t>(each) % 512 == 0);
        char* const begin = static_cast<char*>(each);
        EXPECT(std::all_of(begin, begin + bytes, [](char byte) { return byte == 0; }));
        std::fill_n(begin, bytes, 'x');
      }
      EXPECT(cudaFree(all[0]) == success);
      EXPECT(cudaFreeHost(all[1]) == success);
      // The heap of the host is not zero.
      std::free(std::memset(std::malloc(bytes), 'x', bytes));
    }
  }
}

}  // namespace agpusim::test
