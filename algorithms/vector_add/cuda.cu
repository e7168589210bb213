#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/algorithms/vector_add/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_vector_add(CudaRegistry& registry) {
  registry.add("vector_add", [](const RunConfig& config) {
    return with_element_type(config.type, [&]<class T>(T) {
      return make_cuda_program<vector_add::Program<CudaDevice, T>>(config);
    });
  });
}

}  // namespace agpusim
