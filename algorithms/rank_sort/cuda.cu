#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/algorithms/rank_sort/counting.cuh"
#include "agpusim/algorithms/rank_sort/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_rank_sort(CudaRegistry& registry) {
  registry.add("rank_sort", [](const RunConfig& config) {
    return with_element_type(config.type, [&]<class T>(T) {
      return make_cuda_program<rank_sort::Program<CudaDevice, T>>(config);
    });
  });
}

}  // namespace agpusim
