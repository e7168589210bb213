// Calls that fail, kernels that are skipped and such as do not end: what the parent is told of
// them.
#include <array>
#include <cstdlib>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

#include "agpusim/tests/cudart/program/expect.hpp"
#include "agpusim/tests/cudart/program/programs.hpp"
#include "agpusim/tests/cudart/program/registered.hpp"

namespace agpusim::test {
namespace {

/// Kernels of one parameter: `small` may have 64 threads, the others any number.
enum Kernel { small, store, load, endless, nested, kernels, none };
std::array<char, none + 1> stand;

void register_kernels() {
  static const Registered code(fat_binary(
      ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"failures.cu\"\n"
      ".visible .entry small(.param .u64 at) .maxntid 64 { .shared .b8 tile[1024]; ret; }\n"
      // To the pointer behind the first number of a structure.
      ".visible .entry store(.param .align 8 .b8 at[16]) { .reg .u64 %a;\n"
      "ld.param.u64 %a, [at+8]; st.global.u64 [%a], 7; ret; }\n"
      ".visible .entry load(.param .u64 at) { .reg .u64 %a, %v;\n"
      "ld.param.u64 %a, [at]; ld.global.u64 %v, [%a]; st.global.u64 [%a+8], %v; ret; }\n"
      ".visible .entry endless(.param .u64 at) { .reg .u64 %a, %v; mov.u64 %v, 0;\n"
      "ld.param.u64 %a, [at]; ld.global.u64 %v, [%a];\n"
      "again:\nadd.u64 %v, %v, 1;\n.loc 1 9 0\nbra again; }\n"
      // The loop inside has ten turns, the one around it three million.
      ".visible .entry nested(.param .u64 at) { .reg .u32 %i, %j; .reg .pred %p;\n"
      "mov.u32 %i, 0;\nouter:\nmov.u32 %j, 0;\n"
      "inner:\nadd.u32 %j, %j, 1; setp.lt.u32 %p, %j, 10;\n@%p bra inner;\n"
      "add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 3000000;\n@%p bra outer;\nret; }\n"));
  const std::array names = {"small", "store", "load", "endless", "nested"};
  for (std::size_t i = 0; i < kernels; ++i) code.kernel(&stand[i], names[i]);
}

template <class T>
int launch(Kernel kernel, dim3 grid, dim3 block, std::size_t shared, T parameter,
           Handle stream = nullptr) {
  void* arguments[] = {&parameter};
  return cudaLaunchKernel(&stand[kernel], grid, block, arguments, shared, stream);
}

void* memory(std::size_t bytes) {
  void* pointer = nullptr;
  EXPECT(cudaMalloc(&pointer, bytes) == success);
  return pointer;
}

/// Each of the calls fails.
void fail() {
  register_kernels();
  std::array<char, 500> own{};
  void* const a = memory(400);
  void* pointer = nullptr;
  for (int i = 0; i < 3; ++i) EXPECT(launch(load, {1}, {2048}, 0, a) == invalid_configuration);
  EXPECT(launch(load, {0}, {32}, 0, a) == invalid_configuration);
  EXPECT(launch(load, {1}, {1, 1, 65}, 0, a) == invalid_configuration);
  EXPECT(launch(load, {1, 65536}, {1}, 0, a) == invalid_configuration);
  EXPECT(launch(small, {1}, {128}, 0, a) == invalid_configuration);
  EXPECT(launch(small, {1}, {32}, 65536, a) == invalid_value);
  EXPECT(launch(none, {1}, {32}, 0, a) == invalid_function);
  EXPECT(launch(load, {1}, {32}, 0, a, own.data()) == invalid_handle);
  EXPECT(cudaMemcpy(a, own.data(), 500, host_to_device) == invalid_value);
  EXPECT(cudaMemset(own.data(), 0, 8) == invalid_value);
  EXPECT(cudaMalloc(&pointer, std::size_t{1} << 50) == out_of_memory);
  EXPECT(cudaFree(own.data()) == invalid_value);
}

}  // namespace

void unseen_failures() { fail(); }

/// The program asks for the last error, and for the names of the others.
void seen_failures() {
  fail();
  EXPECT(cudaGetLastError() == invalid_value);
  for (const int error : {invalid_configuration, invalid_function, invalid_handle, out_of_memory}) {
    EXPECT(cudaGetErrorName(error) != nullptr);
  }
  EXPECT(cudaEventQuery(nullptr) == invalid_handle);
  EXPECT(cudaGetLastError() == invalid_handle);
}

/// The memory of a kernel's checks is more than the process may have.
void no_memory() {
  register_kernels();
  constexpr std::size_t bytes = std::size_t{1} << 30;
  void* const a = memory(bytes);
  std::size_t pages = 0;  // pages of the process
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t most = pages * static_cast<std::size_t>(getpagesize()) + bytes / 4;
  const rlimit limit{most, most};
  EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
  EXPECT(launch(load, {1}, {1}, 0, a) == out_of_memory);
  EXPECT(cudaGetLastError() == out_of_memory);
}

/// One kernel writes what the next one reads; `other` is written by none.
void skips() {
  register_kernels();
  struct Given {
    std::uint64_t number;
    void* pointer;
  };
  void* const a = memory(64);
  void* const other = memory(64);
  EXPECT(launch(store, {1}, {1}, 0, Given{1, a}) == success);
  EXPECT(launch(load, {1}, {1}, 0, a) == success);
  EXPECT(launch(load, {1}, {1}, 0, other) == success);
}

/// The pointer is in memory of the device.
void skips_list() {
  register_kernels();
  void* const list = memory(64);
  void* const a = memory(64);
  EXPECT(cudaMemcpy(list, &a, 8, host_to_device) == success);
  EXPECT(launch(small, {1}, {1}, 0, list) == success);
  EXPECT(launch(load, {1}, {1}, 0, a) == success);
}

void never_ends() {
  register_kernels();
  EXPECT(cudaMemset(memory(1 << 20), 0, 1 << 20) == success);
  EXPECT(launch(endless, {3}, {32}, 0, memory(64)) == success);
  EXPECT(cudaDeviceSynchronize() == launch_timeout);
}

void turns_long() {
  register_kernels();
  EXPECT(launch(nested, {1}, {1}, 0, memory(64)) == success);
  EXPECT(cudaDeviceSynchronize() == success);
}

void dies_after_copies() {
  std::array<char, 100> own{};
  void* const a = memory(100);
  for (int i = 0; i < 3; ++i) EXPECT(cudaMemcpy(a, own.data(), 100, host_to_device) == success);
  std::abort();
}

}  // namespace agpusim::test
