// Programs for the CUDA runtime of `agpusim exec`, as g++ compiles their host half and nvcc their
// kernels: each checks its own results. usage: agpusim_cudart_program NAME
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "agpusim/tests/cudart/program/expect.hpp"
#include "agpusim/tests/cudart/program/programs.hpp"
#include "agpusim/tests/cudart/program/registered.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim::test {
namespace {

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
  if (const int fault = __cudaGetKernel(&handle, &stand[kernel]); fault != success) return fault;
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

void unpacks(Packing packing) {
  const std::string ptx = kernels_ptx();
  const Registered code(fat_binary(packed_by(packing, ptx), packing, ptx.size()));
  register_kernels(code);
  add_vectors();
}

/// PTX, and what `nvcc -arch=sm_90 -cubin -Xptxas -v` made and said of it.
void registers() {
  constexpr std::size_t header_bytes = 16;
  std::string both = fat_binary(kernels_ptx());
  both += fat_binary(content(AGPUSIM_TEST_DIR "/cudart/kernels.cubin"), Packing::none, 0, 2)
              .substr(header_bytes);
  const std::uint64_t bytes = both.size() - header_bytes;
  std::memcpy(both.data() + 8, &bytes, sizeof bytes);
  const Registered code(both);
  register_kernels(code);
  std::int32_t attributes[64] = {};  // the eighth is numRegs
  EXPECT(cudaFuncGetAttributes(attributes, &stand[race]) == success);
  EXPECT(attributes[7] == 8);
  add_vectors();
}

/// Launches and checks a program whose fat binary cannot be used.
void refuses(const std::string& fat, int error) {
  const Registered code(fat);
  register_kernels(code);
  EXPECT(launch(race, 1, 32, 0, nullptr, nullptr) == error);
  EXPECT(cudaGetLastError() == error);
  EXPECT(cudaDeviceSynchronize() == success);
}

/// Fat binaries whose numbers are wrong, at the end of the memory that holds them.
void damaged_claims() {
  const std::vector<std::string> all = damaged_images(kernels_ptx());
  for (const std::string& fat : all) {
    const Registered code(AtEndOfPage{fat});
    register_kernels(code);
    const int error = launch(race, 1, 32, 0, nullptr, nullptr);
    EXPECT(error == invalid_ptx || (fat == all[1] && error == not_supported));
  }
  rusage used{};
  EXPECT(getrusage(RUSAGE_SELF, &used) == 0 && used.ru_maxrss < (1 << 19));  // KiB
}

void linked() {
  const Registered code(
      {fat_binary(".version 9.0\n.target sm_90\n.address_size 64\n"
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

/// A kernel of one parameter, the address of 64 bits.
template <class T>
int launch_one(const std::string& body, T* at) {
  static const Registered code(
      fat_binary(".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"kernels.cu\"\n"
                 ".extern .func (.param .b64 result) malloc (.param .b64 bytes);\n"
                 ".visible .entry one(.param .u64 at) { .reg .u64 %a, %v; .reg .pred %p;\n"
                 ".loc 1 1 0\nld.param.u64 %a, [at];\n" +
                 body + "\nret; }"));
  code.kernel(&stand[add], "one");
  return launch(add, 1, 1, 0, nullptr, at);
}

/// A kernel has as much heap as the program wants.
void heap() {
  std::uint64_t* const given = on_device(std::vector<std::uint64_t>(1));
  const auto gives = [&](std::size_t limit) {
    constexpr int heap_limit = 2;
    EXPECT(cudaDeviceSetLimit(heap_limit, limit) == success);
    EXPECT(launch_one("{ .param .b64 n; st.param.b64 [n], 4096; .param .b64 r;\n"
                      "call (r), malloc, (n); ld.param.b64 %v, [r]; }\nst.global.u64 [%a], %v;",
                      given) == success);
    return on_host(given, 1)[0] != 0;
  };
  EXPECT(!gives(4095));
  EXPECT(gives(4096));
}

/// A kernel that waits for what nobody writes ends, and its error stays.
void deadlock() {
  std::uint64_t* const flag = on_device(std::vector<std::uint64_t>(1));
  EXPECT(launch_one("again: ld.volatile.global.u64 %v, [%a]; setp.eq.u64 %p, %v, 0;\n"
                    "@%p bra again;",
                    flag) == success);
  EXPECT(cudaDeviceSynchronize() == launch_timeout);
  for (int i = 0; i < 2; ++i) EXPECT(cudaGetLastError() == launch_timeout);
}

void symbols() {
  register_kernels();
  const std::vector<float> by = {1, 2, 3, 4};
  EXPECT(cudaMemcpyToSymbol(&stand[factors], by.data(), 16, 0, host_to_device) == success);
  EXPECT(cudaMemcpyToSymbol(&stand[factors], by.data(), 16, 4, host_to_device) == invalid_value);
  const int n = 100;
  float* const x = on_device(std::vector<float>(n, 10));
  EXPECT(launch(scale, 1, 128, 0, nullptr, x, n) == success);
  const std::vector<float> scaled = on_host(x, n);
  for (std::size_t i = 0; i < n; ++i) EXPECT(scaled[i] == 10 * by[i % 4]);
  int count = 0;
  EXPECT(cudaMemcpyFromSymbol(&count, &stand[calls], 4, 0, device_to_host) == success);
  EXPECT(count == 8);
}

/// A managed variable, managed and pinned memory: kernels and the host use the same addresses.
void managed() {
  static const Registered code(fat_binary(kernels_ptx()));
  register_kernels(code);
  EXPECT(__cudaInitModule(code.code) == 1);
  EXPECT(*static_cast<int*>(doubled) == 3);
  void* a = nullptr;
  void* b = nullptr;
  void* c = nullptr;
  EXPECT(cudaMallocManaged(&a, 32 * sizeof(float), 1) == success);
  EXPECT(cudaHostAlloc(&b, 32 * sizeof(float), 2) == success);
  EXPECT(cudaMallocManaged(&c, 32 * sizeof(float), 1) == success);
  std::fill_n(static_cast<float*>(a), 32, 2.0F);
  std::fill_n(static_cast<float*>(b), 32, 3.0F);
  EXPECT(launch(add, 1, 32, 0, nullptr, a, b, c, 32) == success);
  EXPECT(launch(scale, 1, 32, 0, nullptr, a, 32) == success);
  EXPECT(cudaDeviceSynchronize() == success);
  EXPECT(static_cast<float*>(c)[31] == 5);
  EXPECT(*static_cast<int*>(doubled) == 6);
}

/// The device begins anew, but for what cudaMallocAsync() gave.
void reset() {
  static const Registered code(fat_binary(kernels_ptx()));
  register_kernels(code);
  EXPECT(__cudaInitModule(code.code) == 1);
  float* const x = on_device(std::vector<float>(100, 1));
  void* pooled = nullptr;
  EXPECT(cudaMallocAsync(&pooled, 1 << 20, nullptr) == success);
  EXPECT(launch(scale, 1, 128, 0, nullptr, x, 100) == success);
  EXPECT(cudaDeviceSynchronize() == success);
  EXPECT(*static_cast<int*>(doubled) == 6);
  EXPECT(cudaDeviceReset() == success);
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT(cudaMemGetInfo(&free, &total) == success);
  EXPECT(total - free == 1 << 20);
  EXPECT(*static_cast<int*>(doubled) == 3);
  int count = 0;
  EXPECT(cudaMemcpyFromSymbol(&count, &stand[calls], 4, 0, device_to_host) == success);
  EXPECT(count == 7);
}

void copies() {
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 0);
  int* const a = on_device(values);
  int* const b = on_device(std::vector<int>(100));
  EXPECT(cudaMemcpy(b, a, 200, device_to_device) == success);
  EXPECT(cudaMemset(b + 50, 0xff, 200) == success);
  // The second and third of each ten, of five rows.
  EXPECT(cudaMemcpy2D(b, 40, a + 51, 40, 8, 5, by_address) == success);
  const std::vector<int> result = on_host(b, 100);
  for (int i = 0; i < 100; ++i) {
    const int expected = i >= 50 ? -1 : i % 10 < 2 ? i + 51 : i;
    EXPECT(result[static_cast<std::size_t>(i)] == expected);
  }
  EXPECT(cudaMemcpy(b, values.data(), 404, host_to_device) == invalid_value);
  EXPECT(cudaGetLastError() == invalid_value);
  EXPECT(cudaGetLastError() == success);
}

/// Prints the time between two events around two launches.
void events() {
  register_kernels();
  Handle stream = nullptr;
  std::array<Handle, 2> event{};
  for (Handle& each : event) EXPECT(cudaEventCreate(&each) == success);
  EXPECT(cudaStreamCreate(&stream) == success);
  int* const in = on_device(std::vector<int>(5000, 3));
  int* const out = on_device(std::vector<int>(1));
  EXPECT(cudaEventRecord(event[0], stream) == success);
  for (int i = 0; i < 2; ++i) EXPECT(launch(sum, 8, 128, 512, stream, in, out, 5000) == success);
  EXPECT(cudaEventRecord(event[1], stream) == success);
  float milliseconds = 0;
  EXPECT(cudaEventElapsedTime(&milliseconds, event[0], event[1]) == success);
  EXPECT(on_host(out, 1) == std::vector{30000});
  for (const Handle each : event) EXPECT(cudaEventDestroy(each) == success);
  EXPECT(cudaStreamDestroy(stream) == success);
  std::printf("%.9g", static_cast<double>(milliseconds));
}

/// What is captured is done when the graph is launched.
void graph() {
  register_kernels();
  Handle stream = nullptr;
  Handle graph = nullptr;
  Handle exec = nullptr;
  EXPECT(cudaStreamCreate(&stream) == success);
  int* const in = on_device(std::vector<int>(1000, 1));
  int* const out = on_device(std::vector<int>(1));
  int result = -1;
  EXPECT(cudaStreamBeginCapture(stream, 0) == success);
  EXPECT(launch(sum, 4, 64, 256, stream, in, out, 1000) == success);
  EXPECT(cudaMemcpyAsync(&result, out, 4, device_to_host, stream) == success);
  EXPECT(cudaStreamEndCapture(stream, &graph) == success);
  EXPECT(cudaGraphInstantiate(&exec, graph, 0) == success);
  EXPECT(result == -1);
  for (int i = 0; i < 3; ++i) EXPECT(cudaGraphLaunch(exec, stream) == success);
  EXPECT(result == 3000);
  EXPECT(cudaGraphExecDestroy(exec) == success);
  EXPECT(cudaGraphDestroy(graph) == success && cudaStreamDestroy(stream) == success);
  graph_nodes(&stand[sum]);
}

void cooperative() {
  register_kernels();
  int n = 5000;
  int* a = on_device(std::vector<int>(10000));
  std::array<void*, 2> arguments = {&a, &n};
  const auto run = [&](unsigned grid) {
    return cudaLaunchCooperativeKernel(&stand[reverse], {grid}, {128}, arguments.data(), 0,
                                       nullptr);
  };
  EXPECT(run(100'000) == too_large);
  EXPECT(run(40) == success);
  const std::vector<int> result = on_host(a, 10000);
  for (std::size_t i = 0; i < 5000; ++i) EXPECT(result[5000 + i] == result[4999 - i]);
  EXPECT(result[5000] == 4999);
}

void memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  void* pointer = nullptr;
  EXPECT(cudaMalloc(&pointer, std::size_t{1} << 40) == out_of_memory);
  EXPECT(cudaMalloc(&pointer, 1 << 20) == success);
  EXPECT(cudaMemGetInfo(&free, &total) == success);
  EXPECT(total - free == 1 << 20);
  EXPECT(cudaFree(pointer) == success);
  EXPECT(cudaFree(pointer) == invalid_value);
  int multiprocessors = 0;
  EXPECT(cudaDeviceGetAttribute(&multiprocessors, 16, 0) == success);
  EXPECT(multiprocessors == 132);
}

/// A kernel that fails shows at the next call, and at every one after it.
void fault() {
  register_kernels();
  int* const a = on_device(std::vector<int>(1));
  EXPECT(launch(far_away, 1, 1, 0, nullptr, a) == success);
  EXPECT(cudaDeviceSynchronize() == illegal_address);
  EXPECT(launch(race, 1, 32, 0, nullptr, a) == illegal_address);
  for (int i = 0; i < 2; ++i) EXPECT(cudaGetLastError() == illegal_address);
}

void races() {
  register_kernels();
  int* const a = on_device(std::vector<int>(1));
  EXPECT(launch(race, 2, 32, 0, nullptr, a) == success);
  EXPECT(cudaDeviceSynchronize() == success);
}

void refused_kernel() {
  register_kernels();
  EXPECT(launch(refused, 1, 32, 0, nullptr, nullptr) == not_supported);
  add_vectors();
}

/// A child has no device, also where another thread of its parent was in a call.
void forks() {
  register_kernels();
  EXPECT(cudaDeviceSynchronize() == success);
  std::thread busy([] {
    for (int i = 0; i < 20; ++i) add_vectors();
  });
  for (int i = 0; i < 5; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      void* pointer = nullptr;
      const bool is_refused = cudaMalloc(&pointer, 4) == not_initialized &&
                              cudaDeviceSynchronize() == not_initialized &&
                              cudaStreamCreate(&pointer) == not_initialized;
      std::_Exit(is_refused ? 0 : 1);
    }
    int status = -1;
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
  }
  busy.join();
}

void threads() {
  register_kernels();
  std::vector<std::thread> all;
  for (int t = 0; t < 4; ++t) {
    all.emplace_back([] {
      for (int i = 0; i < 5; ++i) add_vectors();
    });
  }
  for (std::thread& thread : all) thread.join();
}

/// Launches, copies and waits when it is destroyed.
struct Late {
  Late() = default;
  Late(const Late&) = delete;
  Late& operator=(const Late&) = delete;
  ~Late() {
    add_vectors();
    EXPECT(cudaStreamSynchronize(reinterpret_cast<Handle>(2)) == success);
  }
};

/// What the program destroys last, it has made before the first call.
void destructors() {
  static const Late of_program;
  thread_local const Late of_thread;
  register_kernels();
  add_vectors();
  EXPECT(cudaStreamSynchronize(reinterpret_cast<Handle>(2)) == success);
  std::thread([] { thread_local const Late of_other; }).join();
}

void closes_descriptors() {
  register_kernels();
  cudaDeviceSynchronize();
  for (int file = 0; file < 100; ++file) close(file);
  add_vectors();
}

const std::map<std::string, std::function<void()>> programs = {
    {"plain", plain},
    {"zstd", [] { unpacks(Packing::zstd); }},
    {"registers", registers},
    {"lz4", [] { unpacks(Packing::lz4); }},
    {"damaged lz4", [] { refuses(fat_binary("\xf0", Packing::lz4, 100), invalid_ptx); }},
    {"machine code", [] { refuses(fat_binary("x", Packing::none, 1, 2), not_supported); }},
    {"damaged", [] { refuses(std::string(64, 'x'), invalid_ptx); }},
    {"linked", linked},
    {"symbols", symbols},
    {"managed", managed},
    {"heap", heap},
    {"deadlock", deadlock},
    {"reset", reset},
    {"copies", copies},
    {"pinned", pinned_copies},
    {"zeros", zeros},
    {"wrong arguments", wrong_arguments},
    {"null results",
     [] {
       register_kernels();
       null_results(&stand[add], &stand[factors]);
     }},
    {"impossible sizes", impossible_sizes},
    {"damaged claims", damaged_claims},
    {"destroyed handles", destroyed_handles},
    {"host functions", host_functions},
    {"events", events},
    {"graph", graph},
    {"cooperative", cooperative},
    {"memory", memory},
    {"fault", fault},
    {"races", races},
    {"refused", refused_kernel},
    {"unsupported",
     [] {
       for (int i = 0; i < 2; ++i) EXPECT(cudaFreeMipmappedArray(nullptr) == not_supported);
     }},
    {"fork", forks},
    {"threads", threads},
    {"destructors", destructors},
    {"closed", closes_descriptors},
    {"dies",
     [] {
       plain();
       std::abort();
     }},
    {"unseen failures", unseen_failures},
    {"seen failures", seen_failures},
    {"no memory", no_memory},
    {"skips", skips},
    {"skips list", skips_list},
    {"never ends", never_ends},
    {"turns long", turns_long},
    {"dies after copies", dies_after_copies},
    {"corpus", run_corpus},
};

}  // namespace
}  // namespace agpusim::test

int main(int count, char** arguments) {
  using agpusim::test::host_halves, agpusim::test::programs, agpusim::test::texture_programs;
  if (count != 2) return 2;
  const std::string name = arguments[1];
  if (agpusim::test::run_host_idiom(name) || agpusim::test::run_on_driver(name)) return 0;
  for (const auto* const more : {&host_halves(), &texture_programs()}) {
    if (const auto known = more->find(name); known != more->end()) return known->second(), 0;
  }
  programs.at(name)();
}
