#include "agpusim/algorithms/one_hp_sort/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_one_hp_sort(CudaRegistry& registry) {
  registry.add("one_hp_sort", make_cuda_program<one_hp_sort::Program<CudaDevice>>);
}

}  // namespace agpusim
