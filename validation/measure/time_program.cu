#include <algorithm>
#include <chrono>

#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/cuda/timing.cuh"
#include "agpusim/validation/measure/sampling.hpp"
#include "agpusim/validation/measure/time_program.cuh"

namespace agpusim {
namespace {

using Clock = std::chrono::steady_clock;

/// Microseconds that the host takes to enqueue one run, at most, in `runs` runs.
double warm_up(CudaProgram& program, int runs) {
  double longest = 0;
  for (int i = 0; i < runs; ++i) {
    program.reset();
    AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(cuda_stream()));
    const auto begin = Clock::now();
    program.run();
    const std::chrono::duration<double, std::micro> host = Clock::now() - begin;
    longest = std::max(longest, host.count());
  }
  AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(cuda_stream()));
  return longest;
}

}  // namespace

Samples time_program(CudaProgram& program, const SamplingRule& rule) {
  // The first run loads the module: it says nothing about the host time of later ones.
  static_cast<void>(warm_up(program, 1));
  const double host_time = warm_up(program, std::max(1, rule.warmup - 1));
  const double lead = 20 + std::min(1.5 * host_time, 1e5);
  L2Flush flush;
  Stopwatch stopwatch;
  Samples samples;
  for (;;) {
    program.reset();
    flush.enqueue();
    enqueue_wait(lead);
    stopwatch.start();
    program.run();
    stopwatch.stop();
    samples.microseconds.push_back(stopwatch.microseconds());
    if (const auto stop = why_stop(samples.microseconds, rule)) {
      samples.stop = *stop;
      return samples;
    }
  }
}

}  // namespace agpusim
