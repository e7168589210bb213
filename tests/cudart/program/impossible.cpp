// What no program means to ask for. A function is added as a row.
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "agpusim/tests/cudart/program/cuda.hpp"
#include "agpusim/tests/cudart/program/expect.hpp"
#include "agpusim/tests/cudart/program/programs.hpp"
#include "agpusim/tests/cudart/program/registered.hpp"

extern "C" {
struct Pitched {
  void* pointer = nullptr;
  std::size_t pitch = 0, width = 0, height = 0;
};
struct Size3 {
  std::size_t x = 0, y = 0, z = 0;
};
struct Copy3 {
  void* source_array = nullptr;
  Size3 source_position = {};
  Pitched source = {};
  void* target_array = nullptr;
  Size3 target_position = {};
  Pitched target = {};
  Size3 extent = {};
  int kind = 0;
};
int cudaChooseDevice(int* device, const void* wanted);
int cudaDeviceCanAccessPeer(int* can, int device, int peer);
int cudaDeviceGetCacheConfig(int* config);
int cudaDeviceGetDefaultMemPool(Handle* pool, int device);
int cudaDeviceGetLimit(std::size_t* value, unsigned limit);
int cudaDeviceGetMemPool(Handle* pool, int device);
int cudaDeviceGetPCIBusId(char* text, int length, int device);
int cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
int cudaDriverGetVersion(int* version);
int cudaEventCreateWithFlags(Handle* event, unsigned flags);

int cudaFuncGetName(const char** name, const void* host);
int cudaGetDevice(int* device);
int cudaGetDeviceCount(int* count);
int cudaGetDeviceFlags(unsigned* flags);
int cudaGetDeviceProperties(void* properties, int device);
int cudaGetFuncBySymbol(Handle* function, const void* host);
int cudaGetKernel(Handle* kernel, const void* host);
int cudaGetSymbolAddress(void** address, const void* symbol);
int cudaGetSymbolSize(std::size_t* bytes, const void* symbol);
int cudaGraphCreate(Handle* graph, unsigned flags);
int cudaGraphInstantiateWithFlags(Handle* exec, Handle graph, unsigned long long flags);
int cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
int cudaHostGetFlags(unsigned* flags, void* host);
int cudaLaunchKernel(const void* host, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                     Handle stream);
int cudaLaunchKernelExC(const void* config, const void* host, void** arguments);
int cudaMalloc3D(Pitched* pitched, Size3 extent);
int cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, Handle pool, Handle stream);
int cudaMallocHost(void** pointer, std::size_t bytes);
int cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height);
int cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t width, std::size_t height, int kind, Handle stream);
int cudaMemcpy3D(const Copy3* what);
int cudaMemcpy3DAsync(const Copy3* what, Handle stream);
int cudaMemPoolCreate(Handle* pool, const void* properties);
int cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height);
int cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      Handle stream);
int cudaMemset3D(Pitched to, int value, Size3 extent);
int cudaMemset3DAsync(Pitched to, int value, Size3 extent, Handle stream);
int cudaMemsetAsync(void* to, int value, std::size_t bytes, Handle stream);
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* host,
                                                           int threads, std::size_t shared,
                                                           unsigned flags);
int cudaPointerGetAttributes(void* attributes, const void* pointer);
int cudaRuntimeGetVersion(int* version);
int cudaStreamCreateWithFlags(Handle* stream, unsigned flags);
int cudaStreamGetDevice(Handle stream, int* device);
int cudaStreamGetFlags(Handle stream, unsigned* flags);
int cudaStreamGetId(Handle stream, unsigned long long* number);
int cudaStreamIsCapturing(Handle stream, int* status);
int cudaThreadExchangeStreamCaptureMode(int* mode);
}

namespace agpusim::test {
namespace {

#define CALL(call)              \
  {                             \
#call, [=] { return call; } \
  }

struct Row {
  const char* call;
  std::function<int()> run;
};

void expect_all(int code, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const int got = row.run();
    if (got != code) std::printf("%s: %d, must be %d\n", row.call, got, code);
    EXPECT(got == code);
  }
}

}  // namespace

void null_results(const void* kernel, const void* symbol) {
  void* device = nullptr;
  void* pinned = nullptr;
  Handle stream = nullptr;
  Handle graph = nullptr;
  Handle event = nullptr;
  static std::size_t untouched = 7;
  static void* pointer = &untouched;
  EXPECT(cudaMalloc(&device, 4096) == success);
  EXPECT(cudaHostAlloc(&pinned, 4096, 0) == success);
  EXPECT(cudaStreamCreate(&stream) == success);
  EXPECT(cudaGraphCreate(&graph, 0) == success);
  EXPECT(cudaEventCreate(&event) == success);
  EXPECT(cudaEventRecord(event, stream) == success);
  EXPECT(cudaStreamBeginCapture(stream, 0) == success);
  expect_all(
      invalid_value,
      {
          CALL(cudaChooseDevice(nullptr, "")),
          CALL(cudaChooseDevice(nullptr, nullptr)),
          CALL(cudaDeviceCanAccessPeer(nullptr, 0, 0)),
          CALL(cudaDeviceGetAttribute(nullptr, 10, 0)),
          CALL(cudaDeviceGetCacheConfig(nullptr)),
          CALL(cudaDeviceGetDefaultMemPool(nullptr, 0)),
          CALL(cudaDeviceGetLimit(nullptr, 0)),
          CALL(cudaDeviceGetMemPool(nullptr, 0)),
          CALL(cudaDeviceGetPCIBusId(nullptr, 20, 0)),
          CALL(cudaDeviceGetPCIBusId(reinterpret_cast<char*>(&untouched), 4, 0)),
          CALL(cudaDriverGetVersion(nullptr)),
          CALL(cudaEventCreate(nullptr)),
          CALL(cudaEventCreateWithFlags(nullptr, 0)),
          CALL(cudaEventElapsedTime(nullptr, event, event)),
          CALL(cudaFuncGetAttributes(nullptr, kernel)),
          CALL(cudaFuncGetName(nullptr, kernel)),
          CALL(cudaGetDevice(nullptr)),
          CALL(cudaGetDeviceCount(nullptr)),
          CALL(cudaGetDeviceFlags(nullptr)),
          CALL(cudaGetDeviceProperties(nullptr, 0)),
          CALL(cudaGetFuncBySymbol(nullptr, kernel)),
          CALL(cudaGetKernel(nullptr, kernel)),
          CALL(cudaGetSymbolAddress(nullptr, symbol)),
          CALL(cudaGetSymbolSize(nullptr, symbol)),
          CALL(cudaGraphCreate(nullptr, 0)),
          CALL(cudaGraphInstantiate(nullptr, graph, 0)),
          CALL(cudaGraphInstantiateWithFlags(nullptr, graph, 0)),
          CALL(cudaHostAlloc(nullptr, 4, 0)),
          CALL(cudaHostGetDevicePointer(nullptr, pinned, 0)),
          CALL(cudaHostGetFlags(nullptr, pinned)),
          CALL(cudaHostRegister(nullptr, 4, 0)),
          CALL(cudaLaunchKernel(kernel, {}, {}, nullptr, 0, nullptr)),
          CALL(cudaLaunchKernelExC(nullptr, kernel, nullptr)),
          CALL(cudaMalloc(nullptr, 4)),
          CALL(cudaMalloc3D(nullptr, {4, 4, 4})),
          CALL(cudaMallocAsync(nullptr, 4, nullptr)),
          CALL(cudaMallocFromPoolAsync(nullptr, 4, nullptr, nullptr)),
          CALL(cudaMallocHost(nullptr, 4)),
          CALL(cudaMallocManaged(nullptr, 4, 1)),
          CALL(cudaMallocPitch(&pointer, nullptr, 4, 4)),
          CALL(cudaMallocPitch(nullptr, &untouched, 4, 4)),
          CALL(cudaMemcpy(nullptr, device, 4, device_to_host)),
          CALL(cudaMemcpy(device, nullptr, 4, host_to_device)),
          CALL(cudaMemcpy3D(nullptr)),
          CALL(cudaMemcpy3DAsync(nullptr, nullptr)),
          CALL(cudaMemcpyToSymbol(symbol, nullptr, 4, 0, host_to_device)),
          CALL(cudaMemGetInfo(nullptr, &untouched)),
          CALL(cudaMemGetInfo(&untouched, nullptr)),
          CALL(cudaMemPoolCreate(nullptr, "")),
          CALL(cudaMemset(nullptr, 0, 4)),
          CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, kernel, 32, 0)),
          CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(nullptr, kernel, 32, 0, 0)),
          CALL(cudaPointerGetAttributes(nullptr, device)),
          CALL(cudaRuntimeGetVersion(nullptr)),
          CALL(cudaStreamCreate(nullptr)),
          CALL(cudaStreamCreateWithFlags(nullptr, 0)),
          CALL(cudaStreamCreateWithPriority(nullptr, 0, 0)),
          CALL(cudaStreamEndCapture(stream, nullptr)),
          CALL(cudaStreamGetDevice(stream, nullptr)),
          CALL(cudaStreamGetFlags(stream, nullptr)),
          CALL(cudaStreamGetId(stream, nullptr)),
          CALL(cudaStreamGetPriority(stream, nullptr)),
          CALL(cudaStreamIsCapturing(stream, nullptr)),
          CALL(cudaThreadExchangeStreamCaptureMode(nullptr)),
          CALL(cudaLaunchHostFunc(nullptr, nullptr, nullptr)),
          CALL(cudaStreamAddCallback(nullptr, nullptr, nullptr, 0)),
      });
  EXPECT(untouched == 7 && pointer == &untouched);
  EXPECT(cudaDeviceGetStreamPriorityRange(nullptr, nullptr) == success);
  EXPECT(cudaStreamEndCapture(stream, &graph) == success);
}

void impossible_sizes() {
  constexpr std::size_t big = std::size_t{1} << 32;
  constexpr std::size_t most = SIZE_MAX;
  constexpr std::size_t rows = std::size_t{1} << 40;
  static void* any = nullptr;
  static std::size_t pitch = 0;
  static Pitched pitched;
  static std::array<char, 4096> own;
  void* device = nullptr;
  EXPECT(cudaMalloc(&device, 4096) == success);
  const auto at = [=](std::size_t of_row, std::size_t height) {
    return Pitched{device, of_row, of_row, height};
  };
  const auto copy = [=](const Size3& position, std::size_t of_row, const Size3& extent) {
    const Copy3 what{.source = {own.data(), 64, 64, 4},
                     .target_position = position,
                     .target = at(of_row, 4),
                     .extent = extent,
                     .kind = host_to_device};
    const int status = cudaMemcpy3D(&what);
    EXPECT(cudaMemcpy3DAsync(&what, nullptr) == status);
    return status;
  };
  expect_all(out_of_memory, {
                                CALL(cudaMalloc(&any, most)),
                                CALL(cudaMalloc(&any, most / 2)),
                                CALL(cudaMalloc3D(&pitched, {big, big, big})),
                                CALL(cudaMalloc3D(&pitched, {1, most, most})),
                                CALL(cudaMalloc3D(&pitched, {most, 1, 1})),
                                CALL(cudaMallocAsync(&any, most - 1023, nullptr)),
                                CALL(cudaMallocHost(&any, most)),
                                CALL(cudaHostAlloc(&any, most / 2, 0)),
                                CALL(cudaHostAlloc(&any, rows << 4, 0)),
                                CALL(cudaMallocManaged(&any, most - 511, 1)),
                                CALL(cudaMallocPitch(&any, &pitch, most, 1)),
                                CALL(cudaMallocPitch(&any, &pitch, most - 511, 1)),
                                CALL(cudaMallocPitch(&any, &pitch, 512, most / 512 + 2)),
                                CALL(cudaDeviceSetLimit(2, most)),
                            });
  expect_all(invalid_pitch,
             {
                 CALL(cudaMemcpy2D(device, 4, own.data(), 8, 8, 2, host_to_device)),
                 CALL(cudaMemcpy2D(device, most, own.data(), 8, 8, 1, host_to_device)),
                 CALL(cudaMemcpy2DAsync(device, 8, own.data(), big, 8, 2, 1, nullptr)),
                 CALL(copy({}, 4, {8, 1, 1})),
             });
  expect_all(invalid_value,
             {
                 CALL(cudaHostRegister(own.data(), most, 0)),
                 CALL(cudaHostRegister(own.data(), rows, 0)),
                 CALL(cudaMemcpy(device, own.data(), most, host_to_device)),
                 CALL(cudaMemcpy(own.data(), device, most, device_to_host)),
                 CALL(cudaMemcpy(device, own.data(), 4097, host_to_device)),
                 CALL(cudaMemcpy2D(device, 64, own.data(), 64, 64, 65, host_to_device)),
                 CALL(cudaMemcpy2D(device, 64, own.data(), 64, 64, most, host_to_device)),
                 CALL(copy({0, most, most}, 64, {64, 1, 1})),
                 CALL(copy({0, 0, 16}, 64, {64, 1, 1})),
                 CALL(copy({most, 0, 0}, 64, {64, 1, 1})),
                 CALL(copy({}, 64, {64, 4, most})),
                 CALL(copy({}, 64, {64, 5, 2})),
                 CALL(cudaMemset(device, 0, most)),
                 CALL(cudaMemsetAsync(device, 0, 4097, nullptr)),
                 CALL(cudaMemset2D(device, 4, 0, 8, 4)),
                 CALL(cudaMemset2D(device, most, 0, 8, 1)),
                 CALL(cudaMemset2DAsync(device, big, 0, 8, big + 1, nullptr)),
                 CALL(cudaMemset3D(at(64, 4), 0, {8, 4, most})),
                 CALL(cudaMemset3DAsync(at(64, big), 0, {8, 1, big + 1}, nullptr)),
             });
  expect_all(success, {
                          CALL(cudaMalloc3D(&pitched, {0, most, most})),
                          CALL(cudaMalloc3D(&pitched, {most, 0, most})),
                          CALL(cudaMallocPitch(&any, &pitch, most, 0)),
                          CALL(cudaMemcpy2D(device, 64, own.data(), 64, 0, rows, host_to_device)),
                          CALL(copy({}, 64, {0, most, most})),
                          CALL(copy({}, 64, {64, 4, 4})),
                          CALL(copy({32, 0, 0}, 64, {32, 4, 4})),
                          CALL(cudaMemset2D(device, 64, 0, 0, rows)),
                          CALL(cudaMemset2DAsync(device, 64, 0, 64, 0, nullptr)),
                          CALL(cudaMemset3D(at(64, 4), 0, {0, most, most})),
                          CALL(cudaMemset3D(at(64, 4), 0, {64, 4, 16})),
                      });
}

std::vector<std::string> damaged_images(const std::string& ptx) {
  constexpr std::uint64_t huge = std::uint64_t{64} << 30;
  const std::string plain = fat_binary(ptx);
  const std::string zstd = fat_binary(packed_by(Packing::zstd, ptx), Packing::zstd, ptx.size());
  const auto with = [](std::string fat, std::size_t at, auto value) {
    return fat.replace(at, sizeof value, reinterpret_cast<const char*>(&value), sizeof value);
  };
  return {
      "",
      plain.substr(0, 16),
      plain.substr(0, 40),
      plain.substr(0, 100),
      with(plain, 6, std::uint16_t{0}),  // bytes of the header
      with(plain, 6, std::uint16_t{UINT16_MAX}),
      with(plain, 8, std::uint64_t{UINT64_MAX}),  // size of all entries
      with(plain, 20, std::uint32_t{0}),          // size of the entry's header
      with(plain, 20, std::uint32_t{UINT32_MAX}),
      with(plain, 24, std::uint64_t{UINT64_MAX}),  // size of its text
      with(plain, 24, std::uint64_t{UINT64_MAX - 63}),
      with(plain, 52, std::uint32_t{UINT32_MAX}),  // where its name is
      with(plain, 56, std::uint32_t{UINT32_MAX}),
      with(zstd, 32, std::uint32_t{UINT32_MAX}),  // size of its packed text
      with(zstd, 32, std::uint32_t{10}),
      with(zstd, 72, std::uint64_t{1}),  // and unpacked
      fat_binary(packed_by(Packing::zstd, std::string(1 << 20, 'x')), Packing::zstd, huge),
      fat_binary("x", Packing::zstd, huge),
      fat_binary(""),
  };
}

}  // namespace agpusim::test
