// Addresses that a program on the driver's interface reserves, and memory that it maps there.
#include "agpusim/tests/cudart/program/cuda.hpp"
#include "agpusim/tests/cudart/program/expect.hpp"
#include "agpusim/tests/cudart/program/programs.hpp"

extern "C" {
int cuInit(unsigned flags);
int cuCtxCreate_v4(Handle* context, void* parameters, unsigned flags, int device);
int cuMemcpyDtoH_v2(void* to, const void* from, std::size_t bytes);
int cuMemsetD32Async(void* to, unsigned value, std::size_t count, Handle stream);
int cuMemGetAllocationGranularity(std::size_t* bytes, const int* kind, int option);
int cuMemCreate(Handle* memory, std::size_t bytes, const int* kind, unsigned long long flags);
int cuMemRelease(Handle memory);
int cuMemAddressReserve(void** begin, std::size_t bytes, std::size_t alignment, void* wanted,
                        unsigned long long flags);
int cuMemAddressFree(void* begin, std::size_t bytes);
int cuMemMap(void* begin, std::size_t bytes, std::size_t offset, Handle memory,
             unsigned long long flags);
int cuMemUnmap(void* begin, std::size_t bytes);
int cuMemSetAccess(void* begin, std::size_t bytes, const int* rights, std::size_t count);
}

namespace agpusim::test {

void map_memory() {
  Handle context = nullptr;
  EXPECT(cuInit(0) == success && cuCtxCreate_v4(&context, nullptr, 0, 0) == success);
  std::size_t unit = 0;
  const int kind[8] = {1, 0, 1, 0};  // pinned, of device 0
  const int of_host[8] = {1, 0, 2, 0};
  Handle memory = nullptr;
  void* at = nullptr;
  EXPECT(cuMemGetAllocationGranularity(&unit, kind, 0) == success && unit == 2 << 20);
  EXPECT(cuMemCreate(&memory, unit + 1, kind, 0) == invalid_value);
  EXPECT(cuMemCreate(&memory, unit, of_host, 0) == not_supported);
  EXPECT(cuMemCreate(&memory, unit, kind, 0) == success);
  EXPECT(cuMemAddressReserve(&at, 2 * unit, 0, nullptr, 0) == success);
  char* const second = static_cast<char*>(at) + unit;
  EXPECT(cuMemMap(&unit, unit, 0, memory, 0) == invalid_value);
  EXPECT(cuMemMap(second, 2 * unit, 0, memory, 0) == invalid_value);
  EXPECT(cuMemMap(at, unit / 2, 0, memory, 0) == not_supported);
  EXPECT(cuMemMap(second, unit, 0, memory, 0) == success);
  EXPECT(cuMemMap(at, unit, 0, memory, 0) == not_supported);
  EXPECT(cuMemSetAccess(second, unit, kind, 1) == success && cuMemRelease(memory) == success);
  EXPECT(cuMemsetD32Async(second, 7, unit / 4, nullptr) == success);
  int value = 0;
  EXPECT(cuMemcpyDtoH_v2(&value, second + unit - 4, 4) == success && value == 7);
  EXPECT(cuMemUnmap(second, unit) == success && cuMemAddressFree(at, 2 * unit) == success);
  EXPECT(cuMemUnmap(second, unit) == invalid_value && cuMemRelease(memory) == invalid_handle);
}

}  // namespace agpusim::test
