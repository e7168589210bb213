// What `agpusim exec` costs beside the instructions of kernels. `bar_ms` and `bar_share` are what
// it is to stay below.
#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <vector>

#include <fmt/format.h>

#include "agpusim/bench/benches.hpp"
#include "agpusim/tests/cudart/program/registered.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/exec/launch_record.hpp"
#include "agpusim/validation/exec/settings.hpp"

namespace agpusim::bench {
namespace {

/// The file to which the CUDA runtime of this process reports, once this was called.
const std::string& report_file() {
  static const std::string file = [] {
    exec::Settings settings;
    settings.device_file = AGPUSIM_TEST_DIR "/../validation/devices/h200.json";
    const std::string name = fmt::format("/proc/self/fd/{}", memfd_create("report", MFD_CLOEXEC));
    setenv(exec::settings_variable, exec::to_json(settings).c_str(), 1);
    setenv(exec::report_variable, name.c_str(), 1);
    return name;
  }();
  return file;
}

/// A program that adds two vectors of n elements.
class Addition {
 public:
  explicit Addition(int n) : n_(n), ctas_(static_cast<unsigned>(std::max(32, n / 256))) {
    static_cast<void>(report_file());
    static const test::Registered code(
        test::fat_binary(test::content(AGPUSIM_TEST_DIR "/cudart/kernels.ptx")));
    code.kernel(&kernel_, "add");
    __cudaGetKernel(&kernel_, &kernel_);
    for (void*& vector : vectors_) {
      cudaMalloc(&vector, std::size_t{256} * ctas_ * 4);
      cudaMemset(vector, 0, std::size_t{256} * ctas_ * 4);
    }
  }
  ~Addition() {
    for (void* const vector : vectors_) cudaFree(vector);
  }
  Addition(const Addition&) = delete;
  Addition& operator=(const Addition&) = delete;

  void launch(benchmark::State& state) {
    std::array<void*, 4> arguments = {&vectors_[0], &vectors_[1], &vectors_[2], &n_};
    if (__cudaLaunchKernel(kernel_, {ctas_}, {256}, arguments.data(), 0, nullptr) != success) {
      state.SkipWithError("is not launched");
    }
  }

 private:
  int n_;
  unsigned ctas_;
  std::array<void*, 3> vectors_{};
  Handle kernel_ = nullptr;
};

void start(benchmark::State& state) {
  for ([[maybe_unused]] auto turn : state) {
    if (std::system("'" AGPUSIM_CLI_PATH "' exec -- '" AGPUSIM_CUDART_PROGRAM_PATH
                    "' memory > /dev/null") != 0) {
      state.SkipWithError("fails");
    }
  }
  state.counters["bar_ms"] = 50;
}

/// Registers a module of 1 MB; `used`: until one of its kernels could be launched.
void registration(benchmark::State& state, bool used) {
  static_cast<void>(report_file());
  const std::string fat = test::fat_binary(large_ptx("reduce"));
  static std::vector<std::unique_ptr<test::Registered>> all;  // as long as the process lives
  for ([[maybe_unused]] auto turn : state) {
    const auto& code = all.emplace_back(std::make_unique<test::Registered>(fat));
    code->kernel(code.get(), "k0__Z6reduceILi64EEvPKiPii");
    __cudaRegisterFatBinaryEnd(code->code);
    int ctas = 0;
    if (used &&
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, code.get(), 64, 0) != success) {
      state.SkipWithError("is not compiled");
    }
  }
  state.counters["bar_ms"] = 40;
}

/// With next to no instructions.
void launch(benchmark::State& state) {
  Addition addition(0);
  for ([[maybe_unused]] auto turn : state) addition.launch(state);
  state.counters["bar_ms"] = 0.2;
}

/// What telling of a launch takes; `share`: of that launch of n elements.
void report(benchmark::State& state, int n) {
  Addition addition(n);
  addition.launch(state);  // compiles
  const auto seconds_of = [](auto f) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const double whole = seconds_of([&] { addition.launch(state); });
  std::ifstream lines(report_file());
  std::string last;
  for (std::string line; std::getline(lines, line);) last = line;
  const exec::Record record = exec::record_of(last);
  const double reports = seconds_of([&] {
    for ([[maybe_unused]] auto turn : state) {
      std::ofstream(report_file(), std::ios::app) << exec::to_line(record);
    }
  });
  state.counters["share"] = reports / static_cast<double>(state.iterations()) / whole;
  state.counters["bar_share"] = 0.02;
}

}  // namespace

void add_exec() {
  const auto add = [](const char* name, auto function) {
    return benchmark::RegisterBenchmark(fmt::format("exec/{}", name).c_str(), function)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  };
  add("start", start);
  add("registration", [](auto& state) { registration(state, false); })->Iterations(20);
  add("first use of a module", [](auto& state) { registration(state, true); })->Iterations(20);
  add("launch", launch);
  add("report/32 CTAs", [](auto& state) { report(state, 0); });
  add("report/2^20 elements", [](auto& state) { report(state, 1 << 20); });
}

}  // namespace agpusim::bench
