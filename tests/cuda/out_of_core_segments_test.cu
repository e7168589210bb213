// Fused and segmented out-of-core programs and a hash table on CUDA streams: the result is that of
// a plain loop.
#include <algorithm>
#include <vector>

#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/out_of_core/cuda_streams.cuh"
#include "agpusim/algorithms/out_of_core/hash_table.hpp"
#include "agpusim/algorithms/out_of_core/segmented.hpp"
#include "agpusim/algorithms/out_of_core/segmented_sort.hpp"
#include "agpusim/algorithms/out_of_core/separate.hpp"
#include "agpusim/commands/pipeline/host_baselines.hpp"
#include "agpusim/tests/cuda/gpu.hpp"
#include "agpusim/tests/cuda/out_of_core_inputs.cuh"

namespace agpusim::out_of_core {
namespace {

using test::AddThree;
using test::budget;
using test::for_shapes;
using test::HostValues;
using test::random_values;

template <class T>
void check_fused(const Chunks& chunks, bool pinned) {
  using Operator = operators::Sum<T>;
  const auto inclusive = agpusim::scan::Kind::inclusive;
  const std::vector<T> input = random_values<T>(chunks.n, 11);
  std::vector<T> expected;
  T total{};
  for (const T x : input) expected.push_back(total += x + T{3});
  HostValues<T> in(input, pinned);
  HostValues<T> out(chunks.n, pinned);
  HostValues<T> scratch(chunks.n, pinned);
  CudaStreams fold(AgpuSpec{}, budget);
  CHECK(transform_reduce<Operator>(fold, in.piece(), chunks, AddThree<T>{}) == total);
  CudaStreams fused(AgpuSpec{}, budget);
  transform_scan<Operator>(fused, in.piece(), out.piece(), chunks, inclusive, AddThree<T>{});
  CHECK(out.values() == expected);
  CudaStreams fold_twice(AgpuSpec{}, budget);
  CHECK(transform_then_reduce<Operator>(fold_twice, in.piece(), scratch.piece(), chunks,
                                        AddThree<T>{}) == total);
  HostValues<T> again(chunks.n, pinned);
  CudaStreams twice(AgpuSpec{}, budget);
  transform_then_scan<Operator>(twice, in.piece(), again.piece(), scratch.piece(), chunks,
                                inclusive, AddThree<T>{});
  CHECK(again.values() == expected);
}

TEST_CASE("fused transforms on CUDA streams equal the two one after the other", "[gpu]") {
  AGPUSIM_NEED_GPU();
  for_shapes([](const Chunks& chunks, bool pinned) {
    check_fused<double>(chunks, pinned);
    check_fused<std::uint32_t>(chunks, pinned);
  });
}

template <class Operator>
void check_segmented(const Chunks& chunks, bool pinned, std::int64_t length) {
  using T = typename Operator::value_type;
  const std::vector<T> input = random_values<T>(chunks.n, 12);
  const std::vector<std::uint32_t> random = random_values<std::uint32_t>(chunks.n, 13);
  std::vector<std::uint32_t> flags;
  std::vector<T> prefixes;
  std::vector<T> folds;
  for (std::size_t i = 0; i < input.size(); ++i) {
    flags.push_back(i == 0 || random[i] % static_cast<std::uint32_t>(length) == 0 ? 1 : 0);
    if (flags[i] != 0) folds.push_back(Operator::identity);
    prefixes.push_back(folds.back() = Operator{}(folds.back(), input[i]));
  }
  HostValues<T> in(input, pinned);
  HostValues<std::uint32_t> heads(flags, pinned);
  HostValues<T> out(chunks.n, pinned);
  CudaStreams scanned(AgpuSpec{}, budget);
  segmented_scan<Operator>(scanned, in.piece(), heads.piece(), out.piece(), chunks);
  CHECK(out.values() == prefixes);
  HostValues<T> sums(std::ssize(folds), pinned);
  CudaStreams reduced(AgpuSpec{}, budget);
  CHECK(segmented_reduce<Operator>(reduced, in.piece(), heads.piece(), sums.piece(), chunks) ==
        std::ssize(folds));
  CHECK(sums.values() == folds);
}

template <class T>
void check_segmented_sort(const Chunks& chunks, bool pinned, std::int64_t length) {
  const std::vector<T> input = random_values<T>(chunks.n, 14);
  const std::vector<std::uint32_t> random = random_values<std::uint32_t>(chunks.n, 15);
  std::vector<std::uint32_t> flags;
  for (std::size_t i = 0; i < input.size(); ++i) {
    flags.push_back(random[i] % static_cast<std::uint32_t>(length) == 0 ? random[i] + 1 : 0);
  }
  std::vector<T> expected = input;
  for (std::size_t first = 0; first < flags.size();) {
    std::size_t end = first + 1;
    while (end < flags.size() && flags[end] == 0) ++end;
    std::sort(expected.data() + first, expected.data() + end);
    first = end;
  }
  HostValues<T> in(input, pinned);
  HostValues<std::uint32_t> heads(flags, pinned);
  HostValues<T> out(chunks.n, pinned);
  HostValues<T> scratch(chunks.n, pinned);
  CudaStreams streams(AgpuSpec{}, budget);
  segmented_sort<T>(streams, in.piece(), heads.piece(), out.piece(), scratch.piece(), chunks);
  CHECK(out.values() == expected);
}

TEST_CASE("segmented primitives on CUDA streams equal a loop over the segments", "[gpu]") {
  AGPUSIM_NEED_GPU();
  for (const std::int64_t length : {1, 7, 999}) {
    CAPTURE(length);
    for_shapes([&](const Chunks& chunks, bool pinned) {
      check_segmented<operators::Sum<double>>(chunks, pinned, length);
      check_segmented<operators::Sum<std::uint32_t>>(chunks, pinned, length);
      check_segmented<operators::ComposeAffine>(chunks, pinned, length);
      check_segmented_sort<double>(chunks, pinned, length);
      check_segmented_sort<std::uint32_t>(chunks, pinned, length);
    });
  }
}

TEST_CASE("a hash table on CUDA streams is that of a plain loop", "[gpu]") {
  AGPUSIM_NEED_GPU();
  for_shapes([](const Chunks& chunks, bool pinned) {
    std::vector<double> input(static_cast<std::size_t>(chunks.n));
    for (std::size_t i = 0; i < input.size(); ++i) {
      input[i] = static_cast<double>(i * 2'654'435'761 % 1'000'003);
    }
    HostValues<double> keys(input, pinned);
    HostValues<double> found(chunks.n, pinned);
    CudaStreams streams(AgpuSpec{}, budget);
    HostValues<std::uint64_t> memory(HashScratch::words(chunks.n), pinned);
    hash_table(streams, keys.piece(), found.piece(), HashScratch::of(memory.piece(), chunks.n),
               chunks);
    std::vector<double> expected(input.size());
    find_in_order_of_hashes(input, expected);
    CHECK(found.values() == expected);
  });
}

}  // namespace
}  // namespace agpusim::out_of_core
