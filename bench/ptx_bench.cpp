// What parsing PTX costs.
#include <benchmark/benchmark.h>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "agpusim/bench/benches.hpp"
#include "agpusim/ptx/module.hpp"

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

}  // namespace agpusim::bench
