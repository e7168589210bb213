#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/algorithms/reduce/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_reduce(CudaRegistry& registry) {
  registry.add("reduce", [](const RunConfig& config) -> std::unique_ptr<CudaProgram> {
    if (config.variant == "ordered") {
      return make_cuda_program<reduce::Program<CudaDevice, reduce::ComposeAffine, true>>(config);
    }
    return with_element_type(config.type, [&]<class T>(T) {
      return make_cuda_program<reduce::Program<CudaDevice, reduce::Sum<T>, false>>(config);
    });
  });
}

}  // namespace agpusim
