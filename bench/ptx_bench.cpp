// What parsing PTX and running kernels costs, and the radix sort of CUB.
#include <benchmark/benchmark.h>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "agpusim/bench/benches.hpp"
#include "agpusim/ptx/run/arguments.hpp"
#include "agpusim/ptx/run/device.hpp"
#include "agpusim/ptx/text/module.hpp"
#include "agpusim/tests/ptx/cub_sort.hpp"
#include "agpusim/validation/predict/residency.hpp"

namespace agpusim::bench {
namespace {

std::string content(const std::string& file) {
  std::ifstream in(fmt::format("{}/ptx/{}.ptx", AGPUSIM_TEST_DIR, file));
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A launch whose arguments are given as text.
struct Kernel {
  const char* name;
  const char* file;
  const char* entry;
  ptx::Dim3 grid;
  ptx::Dim3 block;
  std::vector<std::string> arguments;
  std::int64_t launches = 1;
  std::int64_t accesses = 0;  ///< the loop has so many, of warps; 0: it is not told what one costs
};

void add_run(const Kernel& kernel, const char* variant, const ptx::Options& options) {
  auto* const row = benchmark::RegisterBenchmark(
      fmt::format("ptx run/{}{}", kernel.name, variant).c_str(),
      [kernel, options](benchmark::State& state) {
        const auto module =
            std::make_shared<ptx::Module>(ptx::Module::parse(content(kernel.file), kernel.file));
        const auto program = ptx::Program::compile(module, kernel.entry);
        ptx::Device device(AgpuSpec{}, options);
        const ptx::Arguments arguments(*program, kernel.arguments, device.memory(), 1);
        const ptx::Launch launch{program, kernel.grid, kernel.block, 0, arguments.parameters()};
        std::int64_t instructions = 0;
        for ([[maybe_unused]] auto turn : state) {
          for (std::int64_t i = 0; i < kernel.launches; ++i) {
            const ptx::LaunchReport report = device.launch(launch);
            if (!report.complete || !report.findings.empty()) state.SkipWithError("a finding");
            instructions += report.instructions;
          }
        }
        state.SetItemsProcessed(instructions);
        if (kernel.accesses == 0) return;
        state.counters["per_access"] =
            benchmark::Counter(static_cast<double>(state.iterations() * kernel.accesses),
                               benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
      });
  row->Unit(benchmark::kMillisecond);
  if (options.threads > 1) row->MeasureProcessCPUTime()->UseRealTime();
}

}  // namespace

std::string large_ptx(const std::string& fixture) {
  const std::string text = content("fixtures/" + fixture);
  std::string functions = text.substr(text.find(".visible .entry"));
  functions.resize(functions.find("\t.file"));
  std::string result;
  for (int copy = 0; result.size() < 1'000'000; ++copy) {
    std::string named = functions;
    const std::string name = fmt::format(".entry k{}_", copy);
    for (std::size_t at = 0; (at = named.find(".entry ", at)) != std::string::npos;) {
      named.replace(at, 7, name);
      at += name.size();
    }
    result += named + '\n';
  }
  return result;
}

void add_ptx_runs() {
  const std::vector<Kernel> kernels = {
      {"arithmetic",
       "fixtures/speed",
       "_Z10arithmeticPfj",
       {64},
       {256},
       {"out:f32:16384:zeros", "1000"}},
      {"reduce",
       "fixtures/reduce",
       "_Z6reduceILi256EEvPKiPii",
       {512},
       {256},
       {"in:s32:2^20", "out:s32:512:zeros", "1048576"}},
      {"matmul",
       "programs/matmul_tiled",
       "matmul_tiled",
       {32, 32},
       {16, 16},
       {"a:f32:262144", "b:f32:262144", "c:f32:262144:zeros", "512", "512", "512"}},
      {"launches",
       "fixtures/reduce",
       "_Z6reduceILi64EEvPKiPii",
       {1},
       {64},
       {"in:s32:256", "out:s32:1:zeros", "256"},
       1000},
      {"contiguous",
       "fixtures/speed",
       "_Z10contiguousPKjPjj",
       {32},
       {256},
       {"in:u32:2^17", "out:u32:8192:zeros", "256"},
       1,
       32 * 8 * 256},
      {"copied",
       "fixtures/speed",
       "_Z6copiedPKjPjj",
       {32},
       {256},
       {"in:u32:2^17", "out:u32:2^17:zeros", "256"},
       1,
       2 * 32 * 8 * 256},
      {"random",
       "fixtures/speed",
       "_Z12random_readsPKjPjjj",
       {32},
       {256},
       {"in:u32:2^18", "out:u32:8192:zeros", "128", "262143"},
       1,
       32 * 8 * 128},
      {"shared",
       "fixtures/speed",
       "_Z12shared_readsPjj",
       {32},
       {256},
       {"out:u32:8192:zeros", "1024"},
       1,
       32 * 8 * 1024},
      {"local",
       "fixtures/speed",
       "_Z11local_arrayPjj",
       {32},
       {256},
       {"out:u32:8192:zeros", "512"},
       1,
       2 * 32 * 8 * 512},
      {"constant",
       "fixtures/speed",
       "_Z14constant_readsPjj",
       {32},
       {256},
       {"out:u32:8192:zeros", "1024"},
       1,
       32 * 8 * 1024},
  };
  for (const Kernel& kernel : kernels) {
    add_run(kernel, "", {.threads = 1, .caches = {}});
    add_run(kernel, "/unchecked", {.threads = 1, .races = false, .unwritten = false, .caches = {}});
    add_run(kernel, "/two threads", {.threads = 2, .caches = {}});
    add_run(
        kernel, "/predicted",
        {.threads = 1,
         .races = false,
         .unwritten = false,
         .execution = true,
         .caches = caches_of(load_device(AGPUSIM_TEST_DIR "/../validation/devices/h200.json"))});
  }
}

void add_ptx_parsing() {
  for (const char* const fixture : {"inlined", "reduce"}) {
    benchmark::RegisterBenchmark(
        fmt::format("ptx parse/{}", fixture).c_str(),
        [text = large_ptx(fixture)](benchmark::State& state) {
          for ([[maybe_unused]] auto turn : state) {
            benchmark::DoNotOptimize(ptx::Module::parse(text, "large.ptx"));
          }
          state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
        })
        ->Unit(benchmark::kMillisecond);
  }
}

void add_ptx_sort() {
  struct Row {
    const char* name;
    std::string_view kernel;  // kernel that is timed
    std::size_t keys;
  };
  for (const Row row : {Row{"ptx/onesweep", "Onesweep", 1 << 18}, Row{"ptx/sort", "", 1 << 20}}) {
    benchmark::RegisterBenchmark(
        row.name,
        [row](benchmark::State& state) {
          const ptx::CubSort sort;
          std::mt19937 random(1);
          std::vector<std::uint32_t> keys(row.keys);
          for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random());
          ptx::Options options;
          options.threads = 1;
          std::int64_t instructions = 0;
          for ([[maybe_unused]] auto turn : state) {
            ptx::Device device({}, options);
            double seconds = 0;
            const auto sorted = sort.sort(keys, device, row.kernel, &seconds);
            for (const ptx::LaunchReport& launch : sorted.launches) {
              if (launch.phase.kernel.find(row.kernel) == std::string::npos) continue;
              instructions += launch.instructions;
            }
            state.SetIterationTime(seconds);
          }
          state.SetItemsProcessed(instructions);
        })
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
  }
}

}  // namespace agpusim::bench
