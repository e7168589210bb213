#pragma once

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "agpusim/algorithms/integer_sorts/counting_sort/lanes.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"

// The steps that the library does.
namespace agpusim::counting_sort {

using CtaScan = cub::BlockScan<Word, cta_threads>;
using CtaSum = cub::BlockReduce<Word, cta_threads>;

/// starts[i] = counts[0] + ... + counts[i - 1] for i < count. Without `temporary` only asks for its
/// bytes.
inline void prefix_sums(void* temporary, std::size_t& bytes, const Word* counts, Word* starts,
                        std::int64_t count) {
  AGPUSIM_CUDA_CHECK(
      cub::DeviceScan::ExclusiveSum(temporary, bytes, counts, starts, count, cuda_stream()));
}

/// Sorts by the lowest `bits` bits. Without `temporary` only asks for its bytes.
template <class Key>
void radix_sort(void* temporary, std::size_t& bytes, const Key* keys, Key* out, std::int64_t n,
                int bits) {
  AGPUSIM_CUDA_CHECK(cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, out,
                                                    static_cast<int>(n), 0, bits, cuda_stream()));
}

}  // namespace agpusim::counting_sort
