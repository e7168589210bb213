// Shared by all pairs: arrays with a deterministic pattern, error check, a checksum of the result.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("%s\n", cudaGetErrorString(error));
  std::exit(1);
}

// n values of 0 .. modulus - 1, the same in every run; modulus 1 gives zeros.
template <class T>
T* device_array(size_t n, unsigned modulus = 64) {
  std::vector<T> host(n);
  for (size_t i = 0; i < n; ++i)
    host[i] = static_cast<T>((static_cast<uint32_t>(i) * 2654435761u >> 12) % modulus);
  T* device = nullptr;
  check(cudaMalloc(&device, n * sizeof(T)));
  check(cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

// Waits, copies back and prints a checksum; a 256th is the resolution of floating-point values.
template <class T>
void result(const T* device, size_t n) {
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  std::vector<T> host(n);
  check(cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
  uint64_t sum = 0;
  for (const T& x : host)
    sum = sum * 31 + static_cast<uint64_t>(std::llround(static_cast<double>(x) * 256));
  std::printf("%016llx\n", static_cast<unsigned long long>(sum));
}
