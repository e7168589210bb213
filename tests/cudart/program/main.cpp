// Programs for the CUDA runtime of `agpusim exec`, as g++ compiles their host half and nvcc their kernels: each checks its own
// results. usage: agpusim_cudart_program NAME
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include "agpusim/tests/cudart/program/corpus.hpp"
#include "agpusim/tests/cudart/program/registered.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim::test {
namespace {

void expect(int line, bool holds) {
  if (holds) return;
  std::printf("line %d: not as expected\n", line);
  std::fflush(stdout);
  std::_Exit(1);
}
#define EXPECT(condition) expect(__LINE__, condition)

std::string kernels_ptx() { return content(AGPUSIM_TEST_DIR "/cudart/kernels.ptx"); }

/// Addresses that stand for kernels and variables of the device, as functions of the host do.
enum Stand { add, scale, reverse, sum, far_away, race, refused, factors, calls, stands };
std::array<char, stands> stand;
void* doubled = nullptr;

void register_kernels(const Registered& code) {
  const std::array names = {"add", "scale", "reverse", "sum", "far_away", "race", "refused"};
  for (std::size_t i = 0; i < names.size(); ++i) code.kernel(&stand[i], names[i]);
  __cudaRegisterVar(code.code, &stand[factors], nullptr, "factors", 0, 16, 1, 0);
  __cudaRegisterVar(code.code, &stand[calls], nullptr, "calls", 0, 4, 0, 0);
  __cudaRegisterManagedVar(code.code, &doubled, nullptr, "doubled", 0, 4, 0, 0);
  __cudaRegisterFatBinaryEnd(code.code);
}

void register_kernels() {
  static const Registered code(fat_binary(kernels_ptx()));
  register_kernels(code);
}

/// As the code that nvcc makes of kernel<<<grid, block, shared, stream>>>(arguments...).
template <class... Arguments>
int launch(Stand kernel, unsigned grid, unsigned block, std::size_t shared, Handle stream,
           Arguments... arguments) {
  EXPECT(__cudaPushCallConfiguration({grid}, {block}, shared, stream) == 0);
  dim3 of_grid, of_block;
  EXPECT(__cudaPopCallConfiguration(&of_grid, &of_block, &shared, &stream) == success);
  Handle handle = nullptr;
  EXPECT(__cudaGetKernel(&handle, &stand[kernel]) == success);
  std::array<void*, sizeof...(arguments)> addresses = {&arguments...};
  return __cudaLaunchKernel(handle, of_grid, of_block, addresses.data(), shared, stream);
}

template <class T>
T* on_device(const std::vector<T>& values) {
  void* pointer = nullptr;
  EXPECT(cudaMalloc(&pointer, values.size() * sizeof(T)) == success);
  EXPECT(cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), host_to_device) == success);
  return static_cast<T*>(pointer);
}

template <class T>
std::vector<T> on_host(const T* pointer, std::size_t count) {
  std::vector<T> values(count);
  EXPECT(cudaMemcpy(values.data(), pointer, count * sizeof(T), device_to_host) == success);
  return values;
}

/// Adds two vectors of 1000 elements.
void add_vectors() {
  const int n = 1000;
  std::vector<float> a(n), b(n);
  std::iota(a.begin(), a.end(), 1.0F);
  std::iota(b.begin(), b.end(), 0.5F);
  float* const c = on_device(std::vector<float>(n));
  EXPECT(launch(add, 4, 256, 0, nullptr, on_device(a), on_device(b), c, n) == success);
  std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::plus<>());
  EXPECT(on_host(c, n) == a);
}

void plain() {
  register_kernels();
  add_vectors();
}

void zstd() {
  const std::string ptx = kernels_ptx();
  std::string packed(ZSTD_compressBound(ptx.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), ptx.data(), ptx.size(), 3));
  const Registered code(fat_binary(packed, Packing::zstd, ptx.size()));
  register_kernels(code);
  add_vectors();
}

/// Of a program whose fat binary cannot be used.
void refuses(const std::string& fat, int error) {
  const Registered code(fat);
  register_kernels(code);
  EXPECT(launch(race, 1, 32, 0, nullptr, nullptr) == error);
  EXPECT(cudaGetLastError() == error);
  EXPECT(cudaDeviceSynchronize() == success);
}

void linked() {
  const Registered code({fat_binary(".version 9.0\n.target sm_90\n.address_size 64\n"
                                    ".extern .global .u32 base;\n.visible .entry get(.param .u64 to)"
                                    "{ .reg .u64 %a; .reg .u32 %v; ld.param.u64 %a, [to];"
                                    "ld.global.u32 %v, [base]; st.global.u32 [%a], %v; ret; }"),
                         fat_binary(".version 9.0\n.target sm_90\n.address_size 64\n"
                                    ".visible .global .u32 base = 42;\n"),
                         fat_binary("", Packing::none, 0, 2)});
  code.kernel(&stand[add], "get");
  int* const to = on_device(std::vector<int>(1));
  EXPECT(launch(add, 1, 1, 0, nullptr, to) == success);
  EXPECT(on_host(to, 1) == std::vector{42});
}

void symbols() {
  register_kernels();
  const std::vector<float> by = {1, 2, 3, 4};
  EXPECT(cudaMemcpyToSymbol(&stand[factors], by.data(), 16, 0, host_to_device) == success);
  EXPECT(cudaMemcpyToSymbol(&stand[factors], by.data(), 16, 4, host_to_device) == invalid_value);
  EXPECT(__cudaInitModule(nullptr) == 0 || true);
  const int n = 100;
  float* const x = on_device(std::vector<float>(n, 10));
  EXPECT(launch(scale, 1, 128, 0, nullptr, x, n) == success);
  const std::vector<float> scaled = on_host(x, n);
  for (std::size_t i = 0; i < n; ++i) EXPECT(scaled[i] == 10 * by[i % 4]);
  int count = 0;
  EXPECT(cudaMemcpyFromSymbol(&count, &stand[calls], 4, 0, device_to_host) == success);
  EXPECT(count == 8);
}
