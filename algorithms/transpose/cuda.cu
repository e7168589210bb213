#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/algorithms/transpose/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_transpose(CudaRegistry& registry) {
  registry.add("transpose", [](const RunConfig& config) {
    return with_element_type(config.type, [&]<class T>(T) {
      return make_cuda_program<transpose::Program<CudaDevice, T>>(config);
    });
  });
}

}  // namespace agpusim
