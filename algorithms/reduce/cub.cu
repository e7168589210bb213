#include <cub/device/device_reduce.cuh>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/library_program.cuh"

namespace agpusim {

/// cub_reduce: cub::DeviceReduce::Sum.
void register_cub_reduce(CudaRegistry& registry) {
  registry.add("cub_reduce", [](const RunConfig& config) {
    return with_element_type(config.type, [&]<class T>(T) {
      return library_call<T>(
          config, 1, [](void* temporary, std::size_t& bytes, const T* in, T* out, std::int64_t n) {
            return cub::DeviceReduce::Sum(temporary, bytes, in, out, n, cuda_stream());
          });
    });
  });
}

}  // namespace agpusim
