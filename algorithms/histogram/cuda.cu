#include "agpusim/algorithms/histogram/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_histogram(CudaRegistry& registry) {
  registry.add("histogram", make_cuda_program<histogram::Program<CudaDevice>>);
}

}  // namespace agpusim
