#include "agpusim/algorithms/statistics/policies.hpp"
#include "agpusim/algorithms/statistics/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_statistics(CudaRegistry& registry) {
  registry.add("statistics", [](const RunConfig& config) {
    return statistics::with_moments(config, [&]<class T, class Moments, bool serial>() {
      return make_cuda_program<statistics::Program<CudaDevice, T, Moments, serial>>(config);
    });
  });
}

}  // namespace agpusim
