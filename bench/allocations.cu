#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/registry.hpp"

// Seed 000, section 5: the auxiliary arrays of its sorts come from one cudaMalloc and one cudaFree,
// because a pair of calls for each array would delay the sort. Both beside the time of the sort,
// from the least key minVal = 0 and from 10^9.
namespace {

using namespace agpusim;

struct Sort {
  const char* name;
  const char* algorithm;
  /// Elements of its auxiliary arrays, of 4 bytes each; without the scratch memory of CUB's scan.
  std::vector<std::int64_t> (*arrays)(std::int64_t n, std::int64_t range);
};

const std::vector<Sort> sorts = {
    {"H-P", "seed_hp_sort",
     [](std::int64_t n, std::int64_t range) {
       return std::vector<std::int64_t>{range, range, n + 1};
     }},
    {"1-H-P", "seed_one_hp_sort",
     [](std::int64_t, std::int64_t range) {
       return std::vector<std::int64_t>{range, range};
     }},
    {"0-compressed", "seed_zero_compressed_hp_sort", [](std::int64_t n, std::int64_t range) {
       return std::vector<std::int64_t>{range, range, range, n + 1, n + 1, n + 1, n + 1};
     }}};

/// Median of 21 times of run(), in microseconds, of the host and with all that the device does.
template <class Run>
double median_us(Run run) {
  std::vector<double> times;
  for (int i = 0; i < 22; ++i) {
    AGPUSIM_CUDA_CHECK(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    run();
    AGPUSIM_CUDA_CHECK(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::micro> us = std::chrono::steady_clock::now() - begin;
    if (i > 0) times.push_back(us.count());
  }
  std::nth_element(times.begin(), times.begin() + 10, times.end());
  return times[10];
}

/// Allocates arrays of so many elements, then frees them.
void allocate_and_free(const std::vector<std::int64_t>& elements) {
  std::vector<void*> arrays;
  for (const std::int64_t count : elements) {
    void* array = nullptr;
    AGPUSIM_CUDA_CHECK(cudaMalloc(&array, static_cast<std::size_t>(count) * sizeof(std::int32_t)));
    arrays.push_back(array);
  }
  for (void* const array : arrays) AGPUSIM_CUDA_CHECK(cudaFree(array));
}

/// Microseconds of the sort of n keys from `min` on, below min + n.
double sorting_us(const CudaRegistry& registry, const Sort& sort, std::int64_t n,
                  std::int64_t min) {
  RunConfig config;
  config.algorithm = sort.algorithm;
  config.type = "i32";
  config.input = config.algorithm == "seed_one_hp_sort" ? "distinct" : "uniform";
  config.n = n;
  config.parameters = {{"min", min}, {"range", n}, {"values", n}};
  const std::unique_ptr<CudaProgram> program = (*registry.find(sort.algorithm))(config);
  return median_us([&] { program->run(); });
}

void measure(const CudaRegistry& registry, const Sort& sort, std::int64_t n) {
  const double sorting = sorting_us(registry, sort, n, 0);
  const double from_far = sorting_us(registry, sort, n, 1'000'000'000);
  const std::vector<std::int64_t> arrays = sort.arrays(n, n);
  const double each = median_us([&] { allocate_and_free(arrays); });
  const std::int64_t all = std::accumulate(arrays.begin(), arrays.end(), std::int64_t{0});
  const double one = median_us([&] { allocate_and_free({all}); });
  fmt::print("{:<13} {:>10} {:>10.1f} {:>10.3f} {:>7} {:>12.1f} {:>12.1f} {:>14.2f}\n", sort.name,
             n, sorting, from_far / sorting, arrays.size(), one, each,
             (sorting + each) / (sorting + one));
}

}  // namespace

int main() {
  CudaRegistry registry;
  register_all_cuda(registry);
  fmt::print("{:<13} {:>10} {:>10} {:>10} {:>7} {:>12} {:>12} {:>14}\n", "sort", "n = range",
             "sort, us", "min 10^9", "arrays", "one pair, us", "a pair each", "slower by each");
  for (const Sort& sort : sorts) {
    for (const int power : {16, 20, 24, 26}) measure(registry, sort, std::int64_t{1} << power);
  }
}
