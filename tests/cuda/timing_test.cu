// The ruler: work of known duration must be measured as what it is.
#include <cstdint>

#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/tests/cuda/gpu.hpp"
#include "agpusim/validation/measure/time_program.cuh"

namespace agpusim {
namespace {

__global__ void spin(std::uint64_t nanoseconds) {
  std::uint64_t begin;
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

/// `kernels` launches that each take `microseconds`.
class Ruler : public CudaProgram {
 public:
  Ruler(int kernels, double microseconds) : kernels_(kernels), microseconds_(microseconds) {}
  void reset() override { ++resets; }
  void run() override {
    for (int i = 0; i < kernels_; ++i) {
      spin<<<1, 1, 0, cuda_stream()>>>(static_cast<std::uint64_t>(1e3 * microseconds_));
      AGPUSIM_CUDA_CHECK(cudaGetLastError());
    }
  }
  std::uint64_t checksum() override { return 0; }

  int resets = 0;

 private:
  int kernels_;
  double microseconds_;
};

/// Events and the launch itself are part of a sample.
constexpr double overhead_of_kernel = 8;  // us
/// The spin may end late by one tick of the timer; the two clocks are one oscillator.
constexpr double tick = 1.1;  // us

}  // namespace

TEST_CASE("a kernel of known duration is measured as that", "[gpu]") {
  AGPUSIM_NEED_GPU();
  for (const double duration : {50.0, 500.0, 5000.0}) {
    Ruler ruler(1, duration);
    const Samples samples = time_program(ruler, SamplingRule{});
    for (const double sample : samples.microseconds) {
      INFO("duration " << duration << " us, sample " << sample << " us");
      CHECK(sample >= duration - tick);
      CHECK(sample <= duration + tick + overhead_of_kernel);
    }
    CHECK(ruler.resets >= static_cast<int>(samples.microseconds.size()));
  }
}

TEST_CASE("host time between launches is not measured", "[gpu]") {
  AGPUSIM_NEED_GPU();
  constexpr int kernels = 200;
  Ruler ruler(kernels, 10);
  const Samples samples = time_program(ruler, SamplingRule{});
  for (const double sample : samples.microseconds) {
    CHECK(sample >= kernels * (10.0 - tick));
    CHECK(sample <= kernels * (10.0 + tick + 4));  // 4 us: more than a launch between two kernels
  }
}

}  // namespace agpusim
