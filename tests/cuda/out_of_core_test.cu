// Every out-of-core program on CUDA streams: the result is that of a plain loop.
#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/out_of_core/cuda_streams.cuh"
#include "agpusim/algorithms/out_of_core/reduce.hpp"
#include "agpusim/algorithms/out_of_core/scan.hpp"
#include "agpusim/algorithms/out_of_core/scatter_partitioned.hpp"
#include "agpusim/algorithms/out_of_core/sort.hpp"
#include "agpusim/algorithms/out_of_core/sort_one_hot.hpp"
#include "agpusim/algorithms/out_of_core/transform.hpp"
#include "agpusim/tests/cuda/gpu.hpp"
#include "agpusim/tests/cuda/out_of_core_inputs.cuh"

namespace agpusim::out_of_core {
namespace {

using Catch::Matchers::ContainsSubstring;
using test::AddThree;
using test::budget;
using test::for_shapes;
using test::HostValues;
using test::random_values;
using test::Record;
using test::Turn;

std::vector<std::int64_t> permutation(std::int64_t n, std::uint64_t seed) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(n));
  std::iota(places.begin(), places.end(), 0);
  std::shuffle(places.begin(), places.end(), std::mt19937_64(seed));
  return places;
}

std::vector<Record> random_records(std::int64_t n) {
  std::vector<Record> records;
  for (const auto value : random_values<std::uint32_t>(n, 8)) {
    records.push_back({500 - static_cast<std::int32_t>(value), static_cast<float>(value),
                       static_cast<std::uint32_t>(records.size())});
  }
  return records;
}

template <class F>
void check_transform(const std::vector<typename F::input_type>& input, const Chunks& chunks,
                     bool pinned) {
  using T = typename F::output_type;
  HostValues<typename F::input_type> in(input, pinned);
  HostValues<T> out(chunks.n, pinned);
  CudaStreams streams(AgpuSpec{}, budget);
  transform(streams, in.piece(), out.piece(), chunks, F{});
  std::vector<T> expected;
  for (const auto& x : input) expected.push_back(F{}(x));
  CHECK(out.values() == expected);
}

TEST_CASE("transform on CUDA streams applies the function to every element", "[gpu]") {
  AGPUSIM_NEED_GPU();
  for_shapes([](const Chunks& chunks, bool pinned) {
    check_transform<AddThree<double>>(random_values<double>(chunks.n, 1), chunks, pinned);
    check_transform<AddThree<std::uint64_t>>(random_values<std::uint64_t>(chunks.n, 1), chunks,
                                             pinned);
    check_transform<AddThree<std::int32_t>>(random_values<std::int32_t>(chunks.n, 1), chunks,
                                            pinned);
    check_transform<Turn>(random_records(chunks.n), chunks, pinned);
  });
}

template <class Operator>
void check_reduce() {
  using T = typename Operator::value_type;
  for_shapes([](const Chunks& chunks, bool pinned) {
    const std::vector<T> input = random_values<T>(chunks.n, 2);
    T expected = Operator::identity;
    for (const T value : input) expected = Operator{}(expected, value);
    HostValues<T> in(input, pinned);
    CudaStreams once(AgpuSpec{}, budget);
    CHECK(reduce<Operator>(once, in.piece(), chunks) == expected);
    CudaStreams recursive(AgpuSpec{}, budget);
    CHECK(reduce_recursively<Operator>(recursive, in.piece(), chunks) == expected);
  });
}

TEST_CASE("reduce on CUDA streams folds in order", "[gpu]") {
  AGPUSIM_NEED_GPU();
  check_reduce<operators::Sum<double>>();
  check_reduce<operators::Sum<std::uint64_t>>();
  check_reduce<operators::Sum<std::int32_t>>();
  check_reduce<operators::ComposeAffine>();
}

template <class Operator>
void check_scan(agpusim::scan::Kind kind, const Chunks& chunks, bool pinned) {
  using T = typename Operator::value_type;
  const std::vector<T> input = random_values<T>(chunks.n, 3);
  std::vector<T> expected;
  T total = Operator::identity;
  for (const T value : input) {
    const T next = Operator{}(total, value);
    expected.push_back(kind == agpusim::scan::Kind::exclusive ? total : next);
    total = next;
  }
  HostValues<T> in(input, pinned);
  HostValues<T> out(chunks.n, pinned);
  CudaStreams once(AgpuSpec{}, budget);
  scan<Operator>(once, in.piece(), out.piece(), chunks, kind);
  CHECK(out.values() == expected);
  HostValues<T> out_again(chunks.n, pinned);
  CudaStreams twice(AgpuSpec{}, budget);
  scan_twice<Operator>(twice, in.piece(), out_again.piece(), chunks, kind);
  CHECK(out_again.values() == expected);
}

template <class Operator>
void check_scans(agpusim::scan::Kind kind) {
  for_shapes(
      [kind](const Chunks& chunks, bool pinned) { check_scan<Operator>(kind, chunks, pinned); });
}

TEST_CASE("scan on CUDA streams carries what lies before a chunk", "[gpu]") {
  AGPUSIM_NEED_GPU();
  for (const auto kind : {agpusim::scan::Kind::inclusive, agpusim::scan::Kind::exclusive}) {
    check_scans<operators::Sum<double>>(kind);
    check_scans<operators::Sum<std::uint64_t>>(kind);
    check_scans<operators::Sum<std::int32_t>>(kind);
    check_scans<operators::ComposeAffine>(kind);
  }
}

/// A scatter's input and what must come out.
template <class T>
struct Scattered {
  std::vector<std::int64_t> places;
  std::vector<T> expected;

  explicit Scattered(const std::vector<T>& input)
      : places(permutation(std::ssize(input), 4)), expected(input.size()) {
    for (std::size_t i = 0; i < input.size(); ++i) {
      expected[static_cast<std::size_t>(places[i])] = input[i];
    }
  }
};

template <class T>
void check_partitioned(const std::vector<T>& input, const Chunks& chunks, bool pinned,
                       std::int32_t shift) {
  CAPTURE(shift);
  const Scattered<T> scattered(input);
  HostValues<std::int64_t> index(scattered.places, pinned);
  HostValues<T> in(input, pinned);
  HostValues<T> out(chunks.n, pinned);
  HostValues<T> values(chunks.n, pinned);
  HostValues<std::int64_t> places(chunks.n, pinned);
  CudaStreams streams(AgpuSpec{}, budget);
  scatter_partitioned<T>(streams, index.piece(), in.piece(), out.piece(),
                         {places.piece(), values.piece()}, chunks, shift);
  CHECK(out.values() == scattered.expected);
}

template <class T>
void check_scatter(const std::vector<T>& input, const Chunks& chunks, bool pinned) {
  const Scattered<T> scattered(input);
  HostValues<std::int64_t> index(scattered.places, pinned);
  HostValues<T> in(input, pinned);
  for (const std::int64_t window : {std::max<std::int64_t>(1, chunks.n), std::int64_t{3000}}) {
    if (window < chunks.n / 40) continue;
    CAPTURE(window);
    HostValues<T> out(chunks.n, pinned);
    CudaStreams streams(AgpuSpec{}, budget);
    scatter_windows<T>(streams, index.piece(), in.piece(), out.piece(), chunks, window);
    CHECK(out.values() == scattered.expected);
  }
  HostValues<T> out(chunks.n, pinned);
  CudaStreams streams(AgpuSpec{}, budget);
  scatter_compact<T>(streams, index.piece(), in.piece(), out.piece(), chunks, 1);
  CHECK(out.values() == scattered.expected);
  // Digits of the places: none, one pass of CUB, two.
  for (const std::int32_t shift : {20, 12, 8}) check_partitioned(input, chunks, pinned, shift);
}

TEST_CASE("scatter on CUDA streams permutes", "[gpu]") {
  AGPUSIM_NEED_GPU();
  for_shapes([](const Chunks& chunks, bool pinned) {
    check_scatter(random_values<double>(chunks.n, 5), chunks, pinned);
    check_scatter(random_records(chunks.n), chunks, pinned);
  });
}

TEST_CASE("scatter on CUDA streams names a place outside", "[gpu]") {
  AGPUSIM_NEED_GPU();
  constexpr std::int64_t n = 5000;
  const Chunks chunks{n, 1000, 2};
  for (const std::int64_t outside : {n, std::int64_t{-1}, std::int64_t{1} << 40}) {
    for (const bool pinned : {true, false}) {
      CAPTURE(outside, pinned);
      std::vector<std::int64_t> places = permutation(n, 6);
      places[4321] = outside;
      HostValues<std::int64_t> index(places, pinned);
      HostValues<double> in(random_values<double>(n, 7), pinned);
      HostValues<double> out(n, pinned);
      HostValues<double> values(n, pinned);
      HostValues<std::int64_t> ordered(n, pinned);
      const auto message = ContainsSubstring("index[4321] = " + std::to_string(outside));
      CudaStreams a(AgpuSpec{}, budget);
      CHECK_THROWS_WITH(
          scatter_windows<double>(a, index.piece(), in.piece(), out.piece(), chunks, n), message);
      CudaStreams b(AgpuSpec{}, budget);
      CHECK_THROWS_WITH(
          scatter_compact<double>(b, index.piece(), in.piece(), out.piece(), chunks, 1), message);
      CudaStreams c(AgpuSpec{}, budget);
      CHECK_THROWS_WITH(scatter_partitioned<double>(c, index.piece(), in.piece(), out.piece(),
                                                    {ordered.piece(), values.piece()}, chunks, 8),
                        message);
    }
  }
}

template <class T>
void check_sort(const std::vector<T>& input, const Chunks& chunks, bool pinned) {
  std::vector<T> expected = input;
  std::sort(expected.begin(), expected.end());
  HostValues<T> in(input, pinned);
  HostValues<T> out(chunks.n, pinned);
  HostValues<T> scratch(chunks.n, pinned);
  CudaStreams streams(AgpuSpec{}, budget);
  sort<T>(streams, in.piece(), out.piece(), scratch.piece(), chunks);
  CHECK(out.values() == expected);
}

TEST_CASE("sort on CUDA streams sorts keys and records", "[gpu]") {
  AGPUSIM_NEED_GPU();
  for_shapes([](const Chunks& chunks, bool pinned) {
    check_sort(random_values<double>(chunks.n, 9), chunks, pinned);
    check_sort(random_values<std::int32_t>(chunks.n, 9), chunks, pinned);
    check_sort(random_records(chunks.n), chunks, pinned);
  });
}

TEST_CASE("programs on chunks whose copies and kernels overlap", "[gpu]") {
  AGPUSIM_NEED_GPU();
  constexpr std::int64_t n = 5'000'001;
  constexpr auto inclusive = agpusim::scan::Kind::inclusive;
  for (const bool pinned : {true, false}) {
    CAPTURE(pinned);
    const Chunks chunks{n, std::int64_t{1} << 19, 3};
    check_transform<AddThree<double>>(random_values<double>(n, 1), chunks, pinned);
    check_scan<operators::Sum<std::uint64_t>>(inclusive, chunks, pinned);
    check_partitioned(random_values<double>(n, 5), chunks, pinned, 20);
    check_sort(random_values<double>(n, 9), chunks, pinned);
  }
}

TEST_CASE("the seed's sort on CUDA streams sorts keys", "[gpu]") {
  AGPUSIM_NEED_GPU();
  for_shapes([](const Chunks& chunks, bool pinned) {
    const std::vector<double> input = random_values<double>(chunks.n, 9);
    std::vector<double> expected = input;
    std::sort(expected.begin(), expected.end());
    HostValues<double> in(input, pinned);
    HostValues<double> out(chunks.n, pinned);
    HostValues<double> keys(chunks.n, pinned);
    HostValues<std::int64_t> index(chunks.n, pinned);
    HostValues<std::int64_t> one_hot(one_hot_buckets * chunks.n, pinned);
    CudaStreams streams(AgpuSpec{}, budget);
    sort_one_hot<double>(streams, in.piece(), out.piece(),
                         {keys.piece(), index.piece(), one_hot.piece()}, chunks, 0);
    CHECK(out.values() == expected);
    CHECK(in.values() == input);
  });
}

}  // namespace
}  // namespace agpusim::out_of_core
