#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cuda/std/functional>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/library_program.cuh"

namespace agpusim {

/// The keys of the sorts by comparisons (algorithms/common/inputs.hpp), sorted by the library:
///   cub_merge_sort       cub::DeviceMergeSort::SortKeys, in place
///   cub_radix_sort_keys  cub::DeviceRadixSort::SortKeys by all bits, from one array to another
void register_cub_multiway_merge_sort(CudaRegistry& registry) {
  registry.add("cub_merge_sort", [](const RunConfig& config) {
    return with_element_type(config.type, [&]<class Key>(Key) {
      return in_place_library_call<Key>(
          config, [](void* temporary, std::size_t& bytes, const Key*, Key* keys, std::int64_t n) {
            return with_small_size(n, [&](auto count) {
              return cub::DeviceMergeSort::SortKeys(temporary, bytes, keys, count,
                                                    cuda::std::less<>{}, cuda_stream());
            });
          });
    });
  });
  registry.add("cub_radix_sort_keys", [](const RunConfig& config) {
    return with_element_type(config.type, [&]<class Key>(Key) {
      return library_call<Key>(
          config, config.n,
          [](void* temporary, std::size_t& bytes, const Key* in, Key* out, std::int64_t n) {
            return with_small_size(n, [&](auto count) {
              return cub::DeviceRadixSort::SortKeys(temporary, bytes, in, out, count, 0,
                                                    static_cast<int>(8 * sizeof(Key)),
                                                    cuda_stream());
            });
          });
    });
  });
}

}  // namespace agpusim
