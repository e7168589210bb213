#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/algorithms/multiway_merge_sort/cuda_program.cuh"
#include "agpusim/algorithms/multiway_merge_sort/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

namespace multiway_merge_sort {

std::unique_ptr<CudaProgram> make_cuda_sort(const RunConfig& config) {
  return with_element_type(config.type, [&]<class Key>(Key) {
    return with_rows(shape_of(config).rows, [&](auto rows) {
      return make_cuda_program<Program<CudaDevice, Key, rows>>(config);
    });
  });
}

}  // namespace multiway_merge_sort

void register_cuda_multiway_merge_sort(CudaRegistry& registry) {
  registry.add("multiway_merge_sort", multiway_merge_sort::make_cuda_sort);
}

}  // namespace agpusim
