#pragma once

#include <cstddef>
#include <cstdint>

#include <cub/device/device_radix_sort.cuh>

#include "agpusim/algorithms/common/library_program.cuh"

namespace agpusim::radix_sort {

/// cub::DeviceRadixSort::SortPairs of n pairs by the lowest `end_bit` bits. Without `temporary`
/// only asks for its bytes.
template <class Key, class Value>
cudaError_t library_sort(void* temporary, std::size_t& bytes, const Key* keys, Key* sorted_keys,
                         const Value* values, Value* sorted_values, std::int64_t n, int end_bit) {
  return with_small_size(n, [&](auto count) {
    return cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, sorted_keys, values,
                                           sorted_values, count, 0, end_bit, cuda_stream());
  });
}

}  // namespace agpusim::radix_sort
