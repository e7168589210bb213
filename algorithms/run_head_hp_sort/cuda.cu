#include "agpusim/algorithms/run_head_hp_sort/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_run_head_hp_sort(CudaRegistry& registry) {
  registry.add("run_head_hp_sort", make_cuda_program<run_head_hp_sort::Program<CudaDevice>>);
}

}  // namespace agpusim
