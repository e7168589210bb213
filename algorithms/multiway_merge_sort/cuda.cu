#include "agpusim/algorithms/multiway_merge_sort/cuda_program.cuh"
#include "agpusim/algorithms/multiway_merge_sort/programs.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

namespace multiway_merge_sort {

std::unique_ptr<CudaProgram> make_cuda_sort(const RunConfig& config) {
  return with_program<CudaDevice>(config, [&]<class Program>(std::type_identity<Program>) {
    return make_cuda_program<Program>(config);
  });
}

}  // namespace multiway_merge_sort

void register_cuda_multiway_merge_sort(CudaRegistry& registry) {
  registry.add("multiway_merge_sort", multiway_merge_sort::make_cuda_sort);
}

}  // namespace agpusim
