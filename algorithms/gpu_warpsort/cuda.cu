#include "agpusim/algorithms/multiway_merge_sort/cuda_program.cuh"

namespace agpusim {

void register_cuda_gpu_warpsort(CudaRegistry& registry) {
  registry.add("gpu_warpsort", multiway_merge_sort::make_cuda_sort);
}

}  // namespace agpusim
