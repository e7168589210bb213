// Programs on the driver's interface, whose functions are declared as cuda.h does.
#include <array>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <thread>

#include "agpusim/tests/cudart/program/expect.hpp"
#include "agpusim/tests/cudart/program/programs.hpp"
#include "agpusim/tests/cudart/program/registered.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

extern "C" {
int cuInit(unsigned flags);
int cuDriverGetVersion(int* version);
int cuDeviceGet(int* device, int ordinal);
int cuDeviceGetCount(int* count);
int cuDeviceGetName(char* name, int length, int device);
int cuDeviceTotalMem_v2(std::size_t* bytes, int device);
int cuDevicePrimaryCtxRetain(Handle* context, int device);
int cuDevicePrimaryCtxRelease_v2(int device);
int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active);
int cuCtxCreate_v4(Handle* context, void* parameters, unsigned flags, int device);
int cuCtxDestroy_v2(Handle context);
int cuCtxSetCurrent(Handle context);
int cuCtxGetCurrent(Handle* context);
int cuCtxPushCurrent_v2(Handle context);
int cuCtxPopCurrent_v2(Handle* context);
int cuCtxSynchronize();
int cuModuleLoad(Handle* module, const char* path);
int cuModuleLoadData(Handle* module, const void* image);
int cuModuleLoadDataEx(Handle* module, const void* image, unsigned count, int* names,
                       void** values);
int cuModuleUnload(Handle module);
int cuModuleGetFunction(Handle* kernel, Handle module, const char* name);
int cuModuleGetGlobal_v2(void** at, std::size_t* bytes, Handle module, const char* name);
int cuLibraryLoadData(Handle* library, const void* image, int*, void**, unsigned, int*, void**,
                      unsigned);
int cuLibraryGetKernel(Handle* kernel, Handle library, const char* name);
int cuKernelGetFunction(Handle* function, Handle kernel);
int cuLinkCreate_v2(unsigned, int*, void**, Handle* linker);
int cuLinkAddData_v2(Handle linker, int kind, const void* data, std::size_t bytes, const char* name,
                     unsigned, int*, void**);
int cuLinkComplete(Handle linker, void** image, std::size_t* bytes);
int cuLinkDestroy(Handle linker);
int cuFuncGetAttribute(int* value, int attribute, Handle kernel);
int cuFuncSetAttribute(Handle kernel, int attribute, int value);
int cuOccupancyMaxPotentialBlockSize(int* grid, int* block, Handle kernel,
                                     std::size_t (*shared_of)(int), std::size_t shared, int limit);
int cuLaunchKernel(Handle kernel, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned shared, Handle stream, void** parameters, void** extra);
int cuLaunchKernelEx(const void* config, Handle kernel, void** parameters, void** extra);
int cuLaunchCooperativeKernel(Handle kernel, unsigned, unsigned, unsigned, unsigned, unsigned,
                              unsigned, unsigned shared, Handle stream, void** parameters);
int cuMemAlloc_v2(void** pointer, std::size_t bytes);
int cuMemFree_v2(void* pointer);
int cuMemcpyHtoD_v2(void* to, const void* from, std::size_t bytes);
int cuMemcpyDtoH_v2(void* to, const void* from, std::size_t bytes);
int cuMemcpyDtoHAsync_v2(void* to, const void* from, std::size_t bytes, Handle stream);
int cuMemsetD8_v2(void* to, unsigned char value, std::size_t count);
int cuMemsetD16_v2(void* to, unsigned short value, std::size_t count);
int cuMemsetD32Async(void* to, unsigned value, std::size_t count, Handle stream);
int cuPointerGetAttribute(void* data, int attribute, const void* pointer);
int cuStreamCreate(Handle* stream, unsigned flags);
int cuStreamSynchronize(Handle stream);
int cuStreamDestroy_v2(Handle stream);
int cuEventCreate(Handle* event, unsigned flags);
int cuEventRecord(Handle event, Handle stream);
int cuEventSynchronize(Handle event);
int cuEventElapsedTime(float* milliseconds, Handle begin, Handle end);
int cuGetErrorName(int error, const char** name);
int cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags,
                        int* found);
int cuArrayCreate_v2(Handle* array, const void* descriptor);
int cuGetExportTable(const void** table, const void* number);
}

namespace agpusim::test {
namespace {

constexpr int invalid_image = 200;
constexpr int invalid_context = 201;
constexpr int no_binary = 209;
constexpr int no_file = 301;
constexpr int not_found = 500;

std::string kernels_ptx() { return content(AGPUSIM_TEST_DIR "/cudart/kernels.ptx"); }

Handle current_context() {
  Handle context = nullptr;
  EXPECT(cuInit(0) == success);
  EXPECT(cuDevicePrimaryCtxRetain(&context, 0) == success);
  EXPECT(cuCtxSetCurrent(context) == success);
  return context;
}

Handle module_of(const void* image) {
  Handle module = nullptr;
  EXPECT(cuModuleLoadData(&module, image) == success);
  return module;
}

Handle kernel_of(Handle module, const char* name) {
  Handle kernel = nullptr;
  EXPECT(cuModuleGetFunction(&kernel, module, name) == success);
  return kernel;
}

template <class T>
T* on_device(const std::vector<T>& values) {
  void* pointer = nullptr;
  EXPECT(cuMemAlloc_v2(&pointer, values.size() * sizeof(T)) == success);
  EXPECT(cuMemcpyHtoD_v2(pointer, values.data(), values.size() * sizeof(T)) == success);
  return static_cast<T*>(pointer);
}

template <class... Arguments>
int launch(Handle kernel, unsigned grid, unsigned block, Handle stream, Arguments... arguments) {
  std::array<void*, sizeof...(arguments)> addresses = {&arguments...};
  return cuLaunchKernel(kernel, grid, 1, 1, block, 1, 1, 0, stream, addresses.data(), nullptr);
}

/// Adds two vectors by `add` of kernels.cu.
void add_vectors(Handle kernel, Handle stream = nullptr) {
  constexpr int n = 1000;
  std::vector<float> a(n);
  std::vector<float> c(n);
  std::iota(a.begin(), a.end(), 1.0F);
  float* const sums = on_device(c);
  EXPECT(launch(kernel, 4, 256, stream, on_device(a), on_device(a), sums, n) == success);
  EXPECT(cuMemcpyDtoHAsync_v2(c.data(), sums, n * sizeof(float), stream) == success);
  EXPECT(cuStreamSynchronize(stream) == success);
  for (std::size_t i = 0; i < n; ++i) EXPECT(c[i] == 2 * a[i]);
}

/// A module of PTX, its variable, and a stream with two events.
void plain() {
  current_context();
  const Handle module = module_of(kernels_ptx().c_str());
  Handle stream = nullptr;
  std::array<Handle, 2> event{};
  EXPECT(cuStreamCreate(&stream, 0) == success);
  for (Handle& each : event) EXPECT(cuEventCreate(&each, 0) == success);
  EXPECT(cuEventRecord(event[0], stream) == success);
  add_vectors(kernel_of(module, "add"), stream);
  EXPECT(cuEventRecord(event[1], stream) == success);
  EXPECT(cuEventSynchronize(event[1]) == success);
  float milliseconds = 0;
  EXPECT(cuEventElapsedTime(&milliseconds, event[0], event[1]) == success && milliseconds > 0);
  void* at = nullptr;
  std::size_t bytes = 0;
  int calls = 0;
  EXPECT(cuModuleGetGlobal_v2(&at, &bytes, module, "calls") == success && bytes == 4);
  EXPECT(cuMemcpyDtoH_v2(&calls, at, 4) == success && calls == 7);
}

/// The ways in which a launch has its arguments and attributes.
void launches() {
  struct Config {
    std::array<unsigned, 7> sizes = {1, 1, 1, 32, 1, 1, 0};  // grid, block, dynamic shared memory
    unsigned padding = ~0U;
    Handle stream = nullptr;
    void* attributes = nullptr;
    unsigned count = 0;
  };
  struct Attribute {
    int id;
    int padding;
    std::array<unsigned, 16> value;
  };
  current_context();
  const Handle kernel = kernel_of(
      module_of(
          ".version 9.0\n.target sm_90\n.address_size 64\n"
          ".visible .entry add(.param .u64 at, .param .u32 by) { .reg .u64 %a; .reg .u32 %v;\n"
          "ld.param.u64 %a, [at]; ld.param.u32 %v, [by]; atom.global.add.u32 %v, [%a], %v;\n"
          "ret; }"),
      "add");
  struct {
    int* at;
    int by;
  } packed = {on_device(std::vector<int>(1)), 5};
  std::array<void*, 2> addresses = {&packed.at, &packed.by};
  std::size_t bytes = 12;
  std::array<void*, 5> extra = {reinterpret_cast<void*>(1), &packed, reinterpret_cast<void*>(2),
                                &bytes};
  const auto run = [&](void** each, void** buffer) {
    return cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, each, buffer);
  };
  EXPECT(run(addresses.data(), nullptr) == success);
  EXPECT(run(nullptr, extra.data()) == success);
  EXPECT(run(addresses.data(), extra.data()) == invalid_value);
  EXPECT(run(nullptr, nullptr) == invalid_value);
  bytes = 11;
  EXPECT(run(nullptr, extra.data()) == invalid_value);
  EXPECT(cuLaunchCooperativeKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, addresses.data()) ==
         success);
  EXPECT(cuLaunchCooperativeKernel(kernel, 99999, 1, 1, 32, 1, 1, 0, nullptr, addresses.data()) ==
         too_large);
  Config config;
  Attribute attribute{2, 0, {1}};  // cooperative
  config.attributes = &attribute;
  config.count = 1;
  EXPECT(cuLaunchKernelEx(&config, kernel, addresses.data(), nullptr) == success);
  attribute = {4, 0, {2, 1, 1}};  // clusters of two CTAs
  EXPECT(cuLaunchKernelEx(&config, kernel, addresses.data(), nullptr) == not_supported);
  EXPECT(cuLaunchKernelEx(nullptr, kernel, addresses.data(), nullptr) == invalid_value);
  int sum = 0;
  EXPECT(cuMemcpyDtoH_v2(&sum, packed.at, 4) == success && sum == 4 * 32 * 5);
}

void fills() {
  current_context();
  void* at = nullptr;
  std::array<unsigned, 4> words{};
  EXPECT(cuMemAlloc_v2(&at, sizeof words) == success);
  EXPECT(cuMemsetD32Async(at, 0x01020304, 4, nullptr) == success);
  EXPECT(cuMemsetD16_v2(at, 0xabcd, 3) == success);
  EXPECT(cuMemsetD8_v2(at, 0xee, 1) == success);
  EXPECT(cuMemcpyDtoH_v2(words.data(), at, sizeof words) == success);
  const std::array<unsigned, 4> expected = {0xabcdabee, 0x0102abcd, 0x01020304, 0x01020304};
  EXPECT(words == expected);
  EXPECT(cuMemsetD16_v2(static_cast<char*>(at) + 1, 0, 1) == invalid_value);
  EXPECT(cuMemsetD32Async(at, 0, 5, nullptr) == invalid_value);
}

/// A cubin as `ptxas -lineinfo` makes it: each line of its PTX ends with a null byte.
std::string cubin_with(const std::string& ptx) {
  const std::string names = ".nv_debug_ptx_txt";
  std::string text = ptx;
  for (char& each : text) each = each == '\n' ? '\0' : each;
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_shoff = sizeof header;
  header.e_shnum = 2;
  std::array<Elf64_Shdr, 2> sections{};
  sections[0].sh_offset = header.e_shoff + sizeof sections;
  sections[0].sh_size = names.size() + 1;
  sections[0].sh_name = static_cast<Elf64_Word>(names.size());  // it has no name
  sections[1].sh_offset = sections[0].sh_offset + sections[0].sh_size;
  sections[1].sh_size = text.size();
  std::string cubin(reinterpret_cast<const char*>(&header), sizeof header);
  cubin.append(reinterpret_cast<const char*>(sections.data()), sizeof sections);
  return cubin.append(names).append(1, '\0').append(text);
}

/// What is loaded: a file, a fat binary, machine code with PTX, a library, and what was linked.
void images() {
  current_context();
  const std::string ptx = kernels_ptx();
  const TempFolder folder;
  put(folder / "kernels.ptx", ptx);
  Handle module = nullptr;
  EXPECT(cuModuleLoad(&module, folder.file("kernels.ptx").c_str()) == success);
  add_vectors(kernel_of(module, "add"));
  add_vectors(kernel_of(module_of(fat_binary(ptx).data()), "add"));
  add_vectors(kernel_of(module_of(cubin_with(ptx).data()), "add"));
  Handle library = nullptr;
  Handle kernel = nullptr;
  Handle function = nullptr;
  EXPECT(cuLibraryLoadData(&library, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0) ==
         success);
  EXPECT(cuLibraryGetKernel(&kernel, library, "add") == success);
  EXPECT(cuKernelGetFunction(&function, kernel) == success);
  add_vectors(function);
  const std::string head = ".version 9.0\n.target sm_90\n.address_size 64\n";
  const std::string variable = head + ".visible .global .align 4 .u32 calls = 7;\n";
  const std::string use =
      head +
      ".extern .global .align 4 .u32 calls;\n.visible .entry next() { .reg .u32 %v;\n"
      "ld.global.u32 %v, [calls]; add.u32 %v, %v, 1; st.global.u32 [calls], %v; ret; }";
  Handle linker = nullptr;
  void* image = nullptr;
  std::size_t bytes = 0;
  EXPECT(cuLinkCreate_v2(0, nullptr, nullptr, &linker) == success);
  for (const std::string& each : {variable, use}) {
    EXPECT(cuLinkAddData_v2(linker, 1, each.c_str(), each.size() + 1, "", 0, nullptr, nullptr) ==
           success);
  }
  EXPECT(cuLinkComplete(linker, &image, &bytes) == success);
  const std::string copy(static_cast<char*>(image), bytes);
  EXPECT(cuLinkDestroy(linker) == success);
  module = module_of(copy.data());
  EXPECT(launch(kernel_of(module, "next"), 1, 1, nullptr) == success);
  void* at = nullptr;
  int calls = 0;
  EXPECT(cuModuleGetGlobal_v2(&at, nullptr, module, "calls") == success);
  EXPECT(cuMemcpyDtoH_v2(&calls, at, 4) == success && calls == 8);
}

/// What cannot be loaded, and what the log of the program has.
void wrong_images() {
  current_context();
  Handle module = nullptr;
  std::array<char, 40> log{};
  std::array<int, 2> names = {5, 6};  // CU_JIT_ERROR_LOG_BUFFER, and its bytes
  std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(log.size())};
  const char* const damaged = ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry x( {";
  EXPECT(cuModuleLoadDataEx(&module, damaged, 2, names.data(), values.data()) == invalid_ptx);
  EXPECT(std::string(log.data()) == "PTX, line 4: expected .param");
  EXPECT(reinterpret_cast<std::uintptr_t>(values[1]) == std::strlen(log.data()));
  EXPECT(cuModuleLoadDataEx(&module, damaged, 2, nullptr, nullptr) == invalid_value);
  EXPECT(cuModuleLoadData(&module, "no PTX") == invalid_image);
  EXPECT(cuModuleLoadData(&module, nullptr) == invalid_value);
  EXPECT(cuModuleLoadData(nullptr, damaged) == invalid_value);
  EXPECT(cuModuleLoad(&module, "/no/such/file") == no_file);
  const std::string cubin = content(AGPUSIM_TEST_DIR "/cudart/kernels.cubin");
  EXPECT(cuModuleLoadData(&module, cubin.data()) == no_binary);
  const std::string only = fat_binary(cubin, Packing::none, 0, 2);
  EXPECT(cuModuleLoadData(&module, only.data()) == no_binary);
  for (std::size_t cut = 4; cut < 200; cut += 4) {
    EXPECT(cuModuleLoadData(&module, cubin.substr(0, cut).c_str()) == no_binary);
  }
}

/// One error after the other, each as CUDA documents it.
void errors() {
  int number = 0;
  void* at = nullptr;
  Handle context = nullptr;
  Handle other = nullptr;
  unsigned flags = 0;
  EXPECT(cuDeviceGetCount(&number) == not_initialized);
  EXPECT(cuDriverGetVersion(&number) == success && number == 13000);
  EXPECT(cuInit(1) == invalid_value);
  EXPECT(cuInit(0) == success);
  EXPECT(cuDeviceGet(&number, 1) == invalid_device);
  EXPECT(cuMemAlloc_v2(&at, 4) == invalid_context);
  EXPECT(cuCtxPopCurrent_v2(&context) == invalid_context);
  EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &number) == success && number == 0);
  EXPECT(cuDevicePrimaryCtxRelease_v2(0) == invalid_context);
  const Handle primary = current_context();
  EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &number) == success && number == 1);
  EXPECT(cuCtxDestroy_v2(primary) == invalid_context);
  EXPECT(cuCtxCreate_v4(&context, nullptr, 0, 0) == success);
  EXPECT(cuCtxGetCurrent(&other) == success && other == context);
  std::thread([&] {
    EXPECT(cuCtxGetCurrent(&other) == success && other == nullptr);
    EXPECT(cuCtxPushCurrent_v2(context) == success && cuCtxSynchronize() == success);
  }).join();
  EXPECT(cuCtxDestroy_v2(context) == success && cuCtxDestroy_v2(context) == invalid_context);
  EXPECT(cuCtxGetCurrent(&other) == success && other == primary);
  EXPECT(cuMemAlloc_v2(&at, 0) == invalid_value && cuMemAlloc_v2(nullptr, 4) == invalid_value);
  EXPECT(cuMemAlloc_v2(&at, std::size_t{1} << 50) == out_of_memory);
  EXPECT(cuMemFree_v2(&number) == invalid_value);
  EXPECT(cuPointerGetAttribute(&number, 2, &number) == invalid_value);
  EXPECT(cuStreamDestroy_v2(nullptr) == invalid_handle);
  const Handle module = module_of(kernels_ptx().c_str());
  const Handle kernel = kernel_of(module, "add");
  EXPECT(cuModuleGetFunction(&other, module, "none") == not_found && other == nullptr);
  EXPECT(cuModuleGetGlobal_v2(&at, nullptr, module, "none") == not_found);
  EXPECT(launch(kernel, 0, 32, nullptr) == invalid_value);
  EXPECT(launch(kernel, 1, 2048, nullptr) == invalid_value);
  EXPECT(cuFuncSetAttribute(kernel, 8, 1 << 20) == invalid_value);
  EXPECT(cuModuleUnload(module) == success && cuModuleUnload(module) == invalid_handle);
  EXPECT(launch(kernel, 1, 32, nullptr) == invalid_handle);
  const char* name = nullptr;
  EXPECT(cuGetErrorName(not_found, &name) == success);
  EXPECT(std::string(name) == "CUDA_ERROR_NOT_FOUND");
  EXPECT(cuGetErrorName(invalid_function, &name) == invalid_value && name == nullptr);
  for (int i = 0; i < 2; ++i) EXPECT(cuArrayCreate_v2(&other, nullptr) == not_supported);
  const void* table = &number;
  EXPECT(cuGetExportTable(&table, nullptr) == not_supported && table == nullptr);
  EXPECT(cudaGetLastError() == success);  // the runtime's last error is another
}

/// Both interfaces have the same memory, streams and context.
void beside_runtime() {
  Handle context = nullptr;
  Handle stream = nullptr;
  void* pointer = nullptr;
  int value = 0;
  EXPECT(cudaMalloc(&pointer, 256) == success);
  EXPECT(cuCtxGetCurrent(&context) == success && context != nullptr);
  EXPECT(cudaStreamCreate(&stream) == success);
  EXPECT(cuMemsetD32Async(pointer, 5, 64, stream) == success);
  EXPECT(cudaStreamSynchronize(stream) == success);
  EXPECT(cudaMemcpy(&value, pointer, 4, device_to_host) == success && value == 5);
  const Handle race = kernel_of(module_of(kernels_ptx().c_str()), "race");
  std::array<void*, 1> arguments = {&pointer};
  EXPECT(cudaLaunchKernel(race, {1}, {1}, arguments.data(), 0, stream) == success);
  EXPECT(cuMemFree_v2(pointer) == success && cudaFree(pointer) == invalid_value);
}

void fault() {
  current_context();
  const Handle kernel = kernel_of(module_of(kernels_ptx().c_str()), "far_away");
  EXPECT(launch(kernel, 1, 1, nullptr, on_device(std::vector<int>(1))) == success);
  EXPECT(cuCtxSynchronize() == illegal_address);
  EXPECT(cuStreamSynchronize(nullptr) == illegal_address);
}

/// Functions by their names: of the library that programs load, and by cuGetProcAddress.
void addresses() {
  Dl_info own;
  EXPECT(dladdr(reinterpret_cast<void*>(&cuInit), &own) != 0);
  const auto folder = std::filesystem::path(own.dli_fname).parent_path();
  void* const library = dlopen((folder / "libcuda.so.1").c_str(), RTLD_NOW);
  EXPECT(library != nullptr && dlsym(library, "cuInit") == reinterpret_cast<void*>(&cuInit));
  const auto found = [&](const char* name, int version, std::uint64_t flags = 0) {
    void* function = nullptr;
    int state = -1;
    EXPECT(cuGetProcAddress_v2(name, &function, version, flags, &state) == success);
    EXPECT((state == 0) == (function != nullptr));
    return function;
  };
  EXPECT(found("cuMemAlloc", 12000) == dlsym(library, "cuMemAlloc_v2"));
  EXPECT(found("cuCtxCreate", 4000) == dlsym(library, "cuCtxCreate_v2"));
  EXPECT(found("cuCtxCreate", 13000) == dlsym(library, "cuCtxCreate_v4"));
  EXPECT(found("cuLaunchKernel", 12000, 2) == dlsym(library, "cuLaunchKernel_ptsz"));
  EXPECT(found("cudaMalloc", 12000) == nullptr && found("cuNone", 12000) == nullptr);
  void* function = nullptr;
  EXPECT(cuGetProcAddress_v2("cuInit", &function, 13010, 0, nullptr) == invalid_value);
}

/// What is asked before a launch.
void questions() {
  std::array<char, 64> name{};
  std::size_t bytes = 0;
  int grid = 0;
  int block = 0;
  current_context();
  EXPECT(cuDeviceGetName(name.data(), 64, 0) == success);
  EXPECT(std::string(name.data()) == "agpusim: NVIDIA H200");
  EXPECT(cuDeviceTotalMem_v2(&bytes, 0) == success && bytes > std::size_t{1} << 36);
  const Handle kernel = kernel_of(module_of(kernels_ptx().c_str()), "sum");
  EXPECT(cuFuncSetAttribute(kernel, 8, 100'000) == success);
  EXPECT(cuFuncGetAttribute(&grid, 8, kernel) == success && grid == 100'000);
  EXPECT(cuOccupancyMaxPotentialBlockSize(&grid, &block, kernel, nullptr, 0, 512) == success);
  EXPECT(block == 512 && grid == 4 * 132);
  char* const at = on_device(std::vector<char>(100));
  std::uintptr_t begin = 0;
  EXPECT(cuPointerGetAttribute(&begin, 11, at + 50) == success);
  EXPECT(begin == reinterpret_cast<std::uintptr_t>(at));
}

/// A driver that the program finds by its path.
void other_driver() {
  Dl_info own;
  EXPECT(cuInit(0) == success && dladdr(reinterpret_cast<void*>(&cuInit), &own) != 0);
  const TempFolder folder;
  const auto driver = std::filesystem::path(own.dli_fname).replace_filename("libcuda.so.1");
  std::filesystem::copy(driver, folder / "libcuda.so");
  EXPECT(dlopen((folder / "libcuda.so").c_str(), RTLD_NOW) != nullptr);
}

const std::map<std::string, std::function<void()>> programs = {
    {"driver", plain},
    {"driver launches", launches},
    {"driver fills", fills},
    {"driver images", images},
    {"driver wrong images", wrong_images},
    {"driver errors", errors},
    {"driver beside the runtime", beside_runtime},
    {"driver fault", fault},
    {"driver addresses", addresses},
    {"driver questions", questions},
    {"driver mapping", map_memory},
    {"other driver", other_driver},
};

}  // namespace

bool run_on_driver(const std::string& name) {
  const auto found = programs.find(name);
  if (found != programs.end()) found->second();
  return found != programs.end();
}

}  // namespace agpusim::test
