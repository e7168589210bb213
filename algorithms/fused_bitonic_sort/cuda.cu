#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/algorithms/fused_bitonic_sort/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_fused_bitonic_sort(CudaRegistry& registry) {
  registry.add("fused_bitonic_sort", [](const RunConfig& config) {
    return with_element_type(config.type, [&]<class T>(T) {
      return fused_bitonic_sort::with_registers<T>(
          fused_bitonic_sort::shape_of(config).registers, [&](auto registers) {
            return make_cuda_program<fused_bitonic_sort::Program<CudaDevice, T, registers>>(config);
          });
    });
  });
}

}  // namespace agpusim
