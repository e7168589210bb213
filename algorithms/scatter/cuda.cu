#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/algorithms/scatter/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_scatter(CudaRegistry& registry) {
  registry.add("scatter", [](const RunConfig& config) {
    return with_element_type(config.type, [&]<class T>(T) -> std::unique_ptr<CudaProgram> {
      return make_cuda_program<scatter::Program<CudaDevice, T>>(config);
    });
  });
}

}  // namespace agpusim
