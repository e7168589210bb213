#include "agpusim/algorithms/zero_compressed_hp_sort/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_zero_compressed_hp_sort(CudaRegistry& registry) {
  registry.add("zero_compressed_hp_sort",
               make_cuda_program<zero_compressed_hp_sort::Program<CudaDevice>>);
}

}  // namespace agpusim
