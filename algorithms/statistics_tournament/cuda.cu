#include "agpusim/algorithms/statistics_tournament/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_statistics_tournament(CudaRegistry& registry) {
  registry.add("statistics_tournament", [](const RunConfig& config) {
    return tournament::with_number(config, [&]<class T>(T) -> std::unique_ptr<CudaProgram> {
      return make_cuda_program<tournament::MeanVariance<CudaDevice, T>>(config);
    });
  });
}

}  // namespace agpusim
