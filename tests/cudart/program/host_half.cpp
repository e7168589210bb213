#include "agpusim/tests/cudart/program/host_half.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "agpusim/tests/cudart/program/expect.hpp"
#include "agpusim/tests/cudart/program/registered.hpp"

extern "C" {
int cudaGetSymbolAddress(void** address, const void* symbol);
int cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height);
}

namespace agpusim::test {
namespace {

/// Kernels of one parameter: each thread uses the word of its number behind that address.
enum Kernel { put, get, kernels, variable };
std::array<char, variable + 1> stand;

void launch(Kernel kernel, void* at, Handle stream = nullptr, unsigned threads = 64) {
  static const Registered code = [] {
    const auto entry = [](const char* name, const char* body) {
      return std::string(".visible .entry ") + name +
             "(.param .u64 at) { .reg .u64 %a; .reg .u32 %t, %v; ld.param.u64 %a, [at];\n"
             "mov.u32 %t, %tid.x; mad.wide.u32 %a, %t, 4, %a;\n" +
             body + " ret; }\n";
    };
    return Registered(fat_binary(
        ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"kernels.cu\"\n"
        ".visible .global .u32 variable = 1;\n" +
        entry("put", "st.global.u32 [%a], 7;") + entry("get", "ld.global.u32 %v, [%a];")));
  }();
  const std::array names = {"put", "get"};
  for (std::size_t i = 0; i < kernels; ++i) code.kernel(&stand[i], names[i]);
  __cudaRegisterVar(code.code, &stand[variable], nullptr, "variable", 0, 4, 0, 0);
  void* arguments[] = {&at};
  EXPECT(cudaLaunchKernel(&stand[kernel], {1}, {threads}, arguments, 0, stream) == success);
}

template <class T = volatile int>
T* device(std::size_t bytes) {
  void* pointer = nullptr;
  EXPECT(cudaMalloc(&pointer, bytes) == success);
  return static_cast<T*>(pointer);
}

/// The second half of what is copied has no values.
void copy_unwritten(std::size_t read) {
  char* const from = device<char>(1000);
  char* const to = device<char>(1000);
  EXPECT(cudaMemset(from, 1, 500) == success);
  EXPECT(cudaMemset(to, 1, 1000) == success);
  EXPECT(cudaMemcpy(to + 100, from + 4, 896, device_to_device) == success);
  launch(get, to + read, nullptr, 1);
}

}  // namespace

const std::map<std::string, std::function<void()>>& host_halves() {
  static const std::map<std::string, std::function<void()>> all = {
      {"stores to the device",
       [] {
         launch(put, const_cast<int*>(device(256)));
         device(256)[3] = 1;
       }},
      {"reads the device", [] { static_cast<void>(device(5000)[1000]); }},
      {"reads rows",
       [] {
         void* rows = nullptr;
         std::size_t pitch = 0;
         EXPECT(cudaMallocPitch(&rows, &pitch, 100, 4) == success);
         static_cast<void>(static_cast<volatile char*>(rows)[pitch]);
       }},
      {"reads a variable",
       [] {
         launch(put, const_cast<int*>(device(256)));
         void* at = nullptr;
         EXPECT(cudaGetSymbolAddress(&at, &stand[variable]) == success);
         static_cast<void>(*static_cast<volatile int*>(at));
       }},
      {"takes a result on the device",
       [] { static_cast<void>(cudaMalloc(const_cast<void**>(device<void*>(8)), 8)); }},
      {"copies a variable",
       [] {
         int value = 0;
         launch(put, const_cast<int*>(device(256)));
         EXPECT(cudaMemcpyFromSymbol(&value, &stand[variable], 4, 0, device_to_host) == success);
         EXPECT(value == 1);
       }},
      {"frees and takes much",
       [] {
         for (int i = 0; i < 3; ++i) {
           std::vector<char*> taken;
           for (std::size_t bytes = 1; bytes < 100'000'000; bytes = bytes * 3 + 1) {
             taken.push_back(device<char>(bytes));
             EXPECT(cudaMemset(taken.back(), i, bytes) == success);
           }
           std::size_t bytes = 1;
           for (char* const each : taken) {
             std::vector<char> values(bytes);
             EXPECT(cudaMemcpy(values.data(), each, bytes, device_to_host) == success);
             EXPECT(values.front() == i && values.back() == i);
             EXPECT(cudaFree(each) == success);
             bytes = bytes * 3 + 1;
           }
         }
       }},
      {"reads copied values", [] { copy_unwritten(100); }},
      {"reads values beside a copy", [] { copy_unwritten(996); }},
      {"reads copied rubbish", [] { copy_unwritten(600); }},
  };
  return all;
}

}  // namespace agpusim::test
