#include "agpusim/algorithms/hp_sort/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_hp_sort(CudaRegistry& registry) {
  registry.add("hp_sort", make_cuda_program<hp_sort::Program<CudaDevice>>);
}

}  // namespace agpusim
