#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/algorithms/multiway_merge_sort/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_multiway_merge_sort(CudaRegistry& registry) {
  registry.add("multiway_merge_sort", [](const RunConfig& config) {
    return with_element_type(config.type, [&]<class T>(T) {
      return multiway_merge_sort::with_rows(
          multiway_merge_sort::shape_of(config).rows, [&](auto rows) {
            return make_cuda_program<multiway_merge_sort::Program<CudaDevice, T, rows>>(config);
          });
    });
  });
}

}  // namespace agpusim
