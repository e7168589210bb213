#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_scan(CudaRegistry& registry) {
  registry.add("scan", [](const RunConfig& config) -> std::unique_ptr<CudaProgram> {
    if (config.variant == "affine") {
      return make_cuda_program<scan::Program<CudaDevice, operators::ComposeAffine>>(config);
    }
    return with_element_type(config.type, [&]<class T>(T) -> std::unique_ptr<CudaProgram> {
      if (config.variant == "max") {
        return make_cuda_program<scan::Program<CudaDevice, operators::Max<T>>>(config);
      }
      return make_cuda_program<scan::Program<CudaDevice, operators::Sum<T>>>(config);
    });
  });
}

}  // namespace agpusim
