#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/validation/cuda/program.cuh"

namespace agpusim {

void register_cuda_scan(CudaRegistry& registry) {
  registry.add("scan", [](const RunConfig& config) {
    return scan::with_method(config, [&]<class Operator, class Method, scan::Order order>() {
      return make_cuda_program<scan::Program<CudaDevice, Operator, Method, order>>(config);
    });
  });
}

}  // namespace agpusim
