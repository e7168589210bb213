#include "agpusim/tests/cudart/program/calls.hpp"

#include <array>
#include <thread>

#include "agpusim/tests/cudart/program/cuda.hpp"
#include "agpusim/tests/cudart/program/expect.hpp"

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
  static int calls = 0;
  const auto function = [](void* /*data*/) {
    std::thread other([] { calls += cudaDeviceSynchronize() == success ? 1 : 0; });
    other.join();
  };
  const auto callback = [](Handle /*stream*/, int /*status*/, void* /*data*/) { ++calls; };
  EXPECT(cudaLaunchHostFunc(nullptr, function, nullptr) == success);
  EXPECT(calls == 1);
  Handle const of_thread = reinterpret_cast<Handle>(2);
  EXPECT(cudaStreamBeginCapture(of_thread, 0) == success);
  EXPECT(cudaStreamAddCallback(of_thread, callback, nullptr, 0) == capture_unsupported);
  EXPECT(cudaStreamAddCallback(nullptr, callback, nullptr, 0) == success);
  EXPECT(calls == 2);
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

}  // namespace agpusim::test
