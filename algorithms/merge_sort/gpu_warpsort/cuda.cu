#include "agpusim/cuda/registry.hpp"

namespace agpusim {

void register_cuda_multiway_merge_sort(CudaRegistry& registry);

/// Adds the programs of multiway_merge_sort, of which this row is a preset, under its own name.
void register_cuda_gpu_warpsort(CudaRegistry& registry) {
  CudaRegistry base;
  register_cuda_multiway_merge_sort(base);
  registry.add("gpu_warpsort", *base.find("multiway_merge_sort"));
}

}  // namespace agpusim
