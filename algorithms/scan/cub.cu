#include <cub/device/device_scan.cuh>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/library_program.cuh"

namespace agpusim {

/// cub_scan: cub::DeviceScan::InclusiveSum.
void register_cub_scan(CudaRegistry& registry) {
  registry.add("cub_scan", [](const RunConfig& config) {
    return with_element_type(config.type, [&]<class T>(T) {
      return library_call<T>(
          config, config.n,
          [](void* temporary, std::size_t& bytes, const T* in, T* out, std::int64_t n) {
            return with_small_size(n, [&](auto count) {
              return cub::DeviceScan::InclusiveSum(temporary, bytes, in, out, count, cuda_stream());
            });
          });
    });
  });
}

}  // namespace agpusim
