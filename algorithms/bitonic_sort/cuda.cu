#include "agpusim/algorithms/bitonic_sort/program.hpp"
#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_bitonic_sort(CudaRegistry& registry) {
  registry.add("bitonic_sort", [](const RunConfig& config) {
    return with_element_type(config.type, [&]<class T>(T) {
      return make_cuda_program<bitonic_sort::Program<CudaDevice, T>>(config);
    });
  });
}

}  // namespace agpusim
