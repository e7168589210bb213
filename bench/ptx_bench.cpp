// What parsing PTX costs, and the radix sort of CUB in warp instructions a second.
#include <benchmark/benchmark.h>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "agpusim/bench/benches.hpp"
#include "agpusim/ptx/module.hpp"
#include "agpusim/tests/ptx/cub_sort.hpp"

namespace agpusim::bench {
namespace {

/// Of about a MB: what a fixture declares, again and again under other names.
std::string large_text(const std::string& fixture) {
  std::ifstream in(fmt::format("{}/ptx/fixtures/{}.ptx", AGPUSIM_TEST_DIR, fixture));
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
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

}  // namespace

void add_ptx_parsing() {
  for (const char* const fixture : {"inlined", "reduce"}) {
    benchmark::RegisterBenchmark(
        fmt::format("ptx parse/{}", fixture).c_str(),
        [text = large_text(fixture)](benchmark::State& state) {
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
    std::string_view kernel;  // that is timed
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
              instructions += launch.phase.counts.instructions();
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
