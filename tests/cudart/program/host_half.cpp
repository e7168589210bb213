#include <array>
#include <cstdint>
#include <vector>

#include "agpusim/tests/cudart/program/expect.hpp"
#include "agpusim/tests/cudart/program/programs.hpp"
#include "agpusim/tests/cudart/program/registered.hpp"

extern "C" {
int cudaGetSymbolAddress(void** address, const void* symbol);
int cudaEventSynchronize(Handle event);
int cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height);
int cudaMemsetAsync(void* to, int value, std::size_t bytes, Handle stream);
int cudaStreamCreateWithFlags(Handle* stream, unsigned flags);
}

namespace agpusim::test {
namespace {

/// Kernels of one parameter: each thread uses the word of its number behind that address.
enum Kernel { put, get, count, publish, kernels, variable };
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
        entry("put", "st.global.u32 [%a], 7;") + entry("get", "ld.global.u32 %v, [%a];") +
        entry("count", "ld.param.u64 %a, [at]; red.global.add.u32 [%a], 1;") +
        entry("publish", "st.global.u32 [%a], 7; st.volatile.global.u32 [%a+256], 1;")));
  }();
  const std::array names = {"put", "get", "count", "publish"};
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

void wait() { EXPECT(cudaDeviceSynchronize() == success); }

volatile int* managed(std::size_t bytes) {
  void* pointer = nullptr;
  EXPECT(cudaMallocManaged(&pointer, bytes, 1) == success);
  return static_cast<int*>(pointer);
}
volatile int* pinned(std::size_t bytes) {
  void* pointer = nullptr;
  EXPECT(cudaHostAlloc(&pointer, bytes, 0) == success);
  return static_cast<int*>(pointer);
}
template <class T>
void* raw(volatile T* pointer) {
  return const_cast<T*>(pointer);
}

Handle stream(unsigned flags = 0) {
  Handle made = nullptr;
  EXPECT(cudaStreamCreateWithFlags(&made, flags) == success);
  return made;
}
Handle event() {
  Handle made = nullptr;
  EXPECT(cudaEventCreate(&made) == success);
  return made;
}
constexpr unsigned non_blocking = 1;

/// Two works of two streams use an array, the second one from `offset` on.
void two_streams(Kernel first, Kernel second, std::size_t offset, unsigned flags = 0,
                 const std::function<void(Handle, Handle)>& between = {}) {
  char* const array = device<char>(1024);
  EXPECT(cudaMemset(array, 0, 1024) == success);
  wait();
  const Handle a = stream(flags);
  const Handle b = stream(flags);
  launch(first, array, a);
  if (between) between(a, b);
  launch(second, array + offset, b);
}

/// Four streams copy, use and copy back a quarter each, which the host then reads.
void pipeline(bool waits) {
  constexpr std::size_t quarter = 10000;  // bytes: parts meet in a page
  auto* const on_host = static_cast<char*>(raw(pinned(4 * quarter)));
  char* const on_device = device<char>(4 * quarter);
  std::array<Handle, 4> streams{};
  for (std::size_t i = 0; i < 4 * quarter; ++i) on_host[i] = 1;
  for (std::size_t i = 0; i < 4; ++i) {
    streams[i] = stream();
    char* const part = on_device + i * quarter;
    char* const own = on_host + i * quarter;
    EXPECT(cudaMemcpyAsync(part, own, quarter, host_to_device, streams[i]) == success);
    launch(put, part, streams[i]);
    EXPECT(cudaMemcpyAsync(own, part, quarter, device_to_host, streams[i]) == success);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    if (waits || i != 2) EXPECT(cudaStreamSynchronize(streams[i]) == success);
    EXPECT(on_host[i * quarter] == 7 && on_host[i * quarter + quarter / 2] == 1);
  }
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
      {"reads before it waits",
       [] {
         volatile int* const a = managed(256);
         launch(put, raw(a));
         EXPECT(a[5] == 7 && a[6] == 7);
         wait();
       }},
      {"reads after it waits",
       [] {
         for (volatile int* const a : {managed(256), pinned(256), managed(3'000'000)}) {
           launch(put, raw(a));
           wait();
           EXPECT(a[5] == 7);
           a[5] = 8;
           launch(get, raw(a));
           EXPECT(a[5] == 8);  // both only read
           EXPECT(cudaStreamSynchronize(nullptr) == success);
           a[5] = 9;
         }
       }},
      {"writes what a kernel reads",
       [] {
         volatile int* const a = pinned(256);
         a[0] = 1;
         launch(get, raw(a));
         a[0] = 2;
       }},
      {"writes what a copy reads",
       [] {
         volatile int* const a = pinned(256);
         EXPECT(cudaMemcpyAsync(device<char>(256), raw(a), 256, host_to_device, nullptr) ==
                success);
         a[63] = 1;
       }},
      {"writes pageable memory",
       [] {
         std::array<int, 64> a{};
         EXPECT(cudaMemcpyAsync(device<char>(256), a.data(), 256, host_to_device, nullptr) ==
                success);
         a[63] = 1;
         char* const from = device<char>(256);
         EXPECT(cudaMemset(from, 2, 256) == success);
         EXPECT(cudaMemcpyAsync(a.data(), from, 256, device_to_host, nullptr) == success);
         EXPECT(a[63] == 0x02020202);
       }},
      {"fills",
       [] {
         volatile int* const a = managed(256);
         EXPECT(cudaMemset(raw(a), 1, 256) == success);
         EXPECT(a[0] == 0x01010101);
       }},
      {"fills, and does not wait",
       [] {
         volatile int* const a = managed(256);
         EXPECT(cudaMemsetAsync(raw(a), 1, 256, nullptr) == success);
         EXPECT(a[0] == 0x01010101);
       }},
      {"counts before it waits",
       [] {
         volatile int* const a = managed(256);
         launch(count, raw(a));
         EXPECT(a[0] == 64);
       }},
      {"looks for a flag",
       [] {
         volatile int* const a = pinned(512);
         launch(publish, raw(a), nullptr, 32);
         while (a[64] == 0) {
         }
         EXPECT(a[0] == 7);
       }},
      {"waits for an event before",
       [] {
         volatile int* const a = managed(256);
         const Handle done = event();
         const Handle made = stream();
         EXPECT(cudaEventRecord(done, made) == success);
         launch(put, raw(a), made);
         EXPECT(cudaEventSynchronize(done) == success);
         EXPECT(a[0] == 7);
       }},
      {"waits for another stream",
       [] {
         volatile int* const a = managed(256);
         const Handle other = stream();
         launch(put, raw(a), stream(non_blocking));
         EXPECT(cudaStreamSynchronize(other) == success);
         EXPECT(cudaStreamQuery(nullptr) == success);
         EXPECT(a[0] == 7);
       }},
      {"registered",
       [] {
         static std::array<char, 20000> own{};
         EXPECT(cudaHostRegister(own.data(), own.size(), 0) == success);
         launch(put, own.data() + 8192 - reinterpret_cast<std::uintptr_t>(own.data()) % 4096);
         own.front() = own.back() = 1;
         EXPECT(cudaHostUnregister(own.data()) == success);
         own[8192] = 1;
       }},
      {"registered, before it waits",
       [] {
         static std::array<char, 20000> own{};
         EXPECT(cudaHostRegister(own.data(), own.size(), 0) == success);
         char* const page = own.data() + 8192 - reinterpret_cast<std::uintptr_t>(own.data()) % 4096;
         launch(put, page, nullptr, 1024);
         page[255] = 1;
       }},
      {"two writers", [] { two_streams(put, put, 0); }},
      {"a writer and a reader", [] { two_streams(get, put, 252); }},
      {"a writer and a counter", [] { two_streams(count, put, 0); }},
      {"two counters", [] { two_streams(count, count, 0); }},
      {"in order of an event before",
       [] {
         char* const array = device<char>(1024);
         const Handle a = stream();
         const Handle b = stream();
         const Handle done = event();
         EXPECT(cudaEventRecord(done, a) == success);
         launch(put, array, a);
         EXPECT(cudaStreamWaitEvent(b, done, 0) == success);
         EXPECT(cudaMemsetAsync(array, 0, 1024, b) == success);
       }},
      {"beside the legacy stream",
       [] {
         two_streams(put, get, 0, non_blocking,
                     [](Handle, Handle) { launch(put, device<char>(256)); });
       }},
      {"a copy beside a kernel",
       [] {
         volatile int* const a = pinned(1024);
         char* const array = device<char>(1024);
         const Handle other = stream();
         launch(put, array, stream());
         EXPECT(cudaMemcpyAsync(raw(a), array, 1024, device_to_host, other) == success);
       }},
      {"a pipeline", [] { pipeline(true); }},
      {"a pipeline that does not wait", [] { pipeline(false); }},
  };
  return all;
}

}  // namespace agpusim::test
