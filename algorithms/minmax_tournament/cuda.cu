#include "agpusim/algorithms/minmax_tournament/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_minmax_tournament(CudaRegistry& registry) {
  registry.add("minmax_tournament", [](const RunConfig& config) {
    return tournament::with_number(config, [&]<class T>(T) -> std::unique_ptr<CudaProgram> {
      return make_cuda_program<tournament::MinMax<CudaDevice, T>>(config);
    });
  });
}

}  // namespace agpusim
