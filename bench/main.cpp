// agpusim_bench: what simulating costs. --benchmark_filter=REGEX chooses, --benchmark_out=FILE
// writes JSON; docs/developer/benchmarks.md says how two commits are compared.
#include <benchmark/benchmark.h>

#include "agpusim/bench/benches.hpp"

int main(int argc, char** argv) {
  agpusim::Registry registry;
  agpusim::register_all(registry);
  agpusim::bench::add_simulations(registry);
  agpusim::bench::add_pricing();
  agpusim::bench::add_pram_steps();
  agpusim::bench::add_ptx_parsing();
  agpusim::bench::add_ptx_runs();
  agpusim::bench::add_ptx_sort();
  agpusim::bench::add_exec();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
