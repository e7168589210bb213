#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/integer_sorts/radix_sort/cub_steps.cuh"
#include "agpusim/algorithms/integer_sorts/radix_sort/program.hpp"
#include "agpusim/bench/device_bench.cuh"
#include "agpusim/cuda/device.cuh"

// radix_sort beside cub::DeviceRadixSort::SortPairs with as many bits as the range has, and a copy
// of the pairs, on keys made on the device, in one run; every result is compared with the
// library's.
//   agpusim_radix_sort_bench [FILE [V [TASKS [LG_N]]]]
// writes lines of JSON to FILE; with LG_N only those of 2^LG_N pairs.
namespace {

using namespace agpusim;
using namespace agpusim::bench;

/// Keys below `range`, and values that name their places.
template <class Value>
__global__ void make_pairs(std::uint32_t* keys, Value* values, std::int64_t n, std::uint64_t range,
                           int kind) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    keys[i] = static_cast<std::uint32_t>(bench_key(kind, i, n, range));
    values[i] = static_cast<Value>(static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15U);
  }
}

template <class Value>
class Bench {
 public:
  Bench(CudaDevice& device, std::FILE* out, std::int64_t tasks, std::int64_t n)
      : device_(device), out_(out), tasks_(tasks), n_(n) {
    // Small inputs are several in turn, so that none is in the L2 cache.
    const auto sets = std::clamp<std::int64_t>((std::int64_t{1} << 25) / n, 1, 32);
    for (std::int64_t set = 0; set < sets; ++set) sets_.push_back(allocate());
    expected_.push_back(allocate());
  }

  void measure(int kind, std::int64_t bits) {
    const std::int64_t range = std::int64_t{1} << bits;
    for (const Pairs& set : sets_) {
      make_pairs<<<ctas, threads, 0, cuda_stream()>>>(set.keys.data(), set.values.data(), n_,
                                                      static_cast<std::uint64_t>(range), kind);
    }
    RunConfig config;
    config.n = n_;
    config.spec = device_.spec();
    config.parameters = {{"min", 0},
                         {"range", range},
                         {"digit_bits", radix_sort::most_digit_bits},
                         {"tasks", tasks_}};
    const std::vector<radix_sort::Digit> digits = radix_sort::digits_of(config);
    std::vector<std::unique_ptr<HostProgram>> sorts;
    for (const Pairs& set : sets_) {
      sorts.push_back(own_program<CudaDevice, Value>(device_, config, [&](auto& run) {
        radix_sort::launch<Value>(run, digits, radix_sort::cut_of(config), set.keys, set.values,
                                  set.sorted_keys, set.sorted_values);
        run.result(set.sorted_keys);
      }));
    }

    const auto bytes = [&](auto* data) { return static_cast<std::size_t>(n_) * sizeof *data; };
    const double copy = time([&](const Pairs& set) {
      const auto call = [&](auto* to, auto* from) {
        AGPUSIM_CUDA_CHECK(
            cudaMemcpyAsync(to, from, bytes(from), cudaMemcpyDeviceToDevice, cuda_stream()));
      };
      call(set.sorted_keys.data(), set.keys.data());
      call(set.sorted_values.data(), set.values.data());
    });
    std::size_t temporary_bytes = 0;
    const auto library = [&](void* temporary, const Pairs& from, const Pairs& to) {
      AGPUSIM_CUDA_CHECK(radix_sort::library_sort(
          temporary, temporary_bytes, from.keys.data(), to.sorted_keys.data(), from.values.data(),
          to.sorted_values.data(), n_, static_cast<int>(bits)));
    };
    library(nullptr, sets_[0], sets_[0]);
    const DeviceBuffer temporary(temporary_bytes, "temporary");
    const double cub = time([&](const Pairs& set) { library(temporary.data(), set, set); });
    library(temporary.data(), sets_[last_set_], expected_[0]);
    for (const Pairs& set : sets_) poison(set);
    const double ours = time([&](const Pairs&) { sorts[last_set_]->run(); });
    const bool right = equal_to_expected(sets_[last_set_]);
    wrong_ += right ? 0 : 1;
    // Keys are read twice and written once, values read and written, in each pass.
    const auto passes = static_cast<double>(digits.size());
    const double floor = copy * passes * (3.0 * sizeof(std::uint32_t) + 2.0 * sizeof(Value)) /
                         (2.0 * sizeof(std::uint32_t) + 2.0 * sizeof(Value));
    fmt::print("{:>10} {:>5} {:>5} {:<8} {:>10.1f} {:>10.1f} {:>10.1f} {:>7.2f} {:>7.2f}{}\n", n_,
               8 * sizeof(Value), bits, kind_names.at(static_cast<std::size_t>(kind)), ours, cub,
               floor, cub / ours, floor / ours, right ? "" : "  WRONG");
    fmt::print(out_,
               "{{\"n\":{},\"value_bits\":{},\"range_bits\":{},\"input\":\"{}\",\"V\":{},"
               "\"tasks\":{},\"ours_us\":{:.3f},\"cub_us\":{:.3f},\"floor_us\":{:.3f},"
               "\"copy_us\":{:.3f},\"right\":{}}}\n",
               n_, 8 * sizeof(Value), bits, kind_names.at(static_cast<std::size_t>(kind)),
               device_.spec().width, tasks_, ours, cub, floor, copy, right);
  }

  [[nodiscard]] int wrong() const { return wrong_; }

 private:
  struct Pairs {
    CudaArray<std::uint32_t> keys;
    CudaArray<Value> values;
    CudaArray<std::uint32_t> sorted_keys;
    CudaArray<Value> sorted_values;
  };

  Pairs allocate() {
    return {device_.allocate<std::uint32_t>(n_, "keys"), device_.allocate<Value>(n_, "values"),
            device_.allocate<std::uint32_t>(n_, "sorted keys"),
            device_.allocate<Value>(n_, "sorted values")};
  }

  void poison(const Pairs& set) {
    const auto fill = [&](auto* data) {
      AGPUSIM_CUDA_CHECK(
          cudaMemsetAsync(data, 0xa5, static_cast<std::size_t>(n_) * sizeof *data, cuda_stream()));
    };
    fill(set.sorted_keys.data());
    fill(set.sorted_values.data());
  }

  bool equal_to_expected(const Pairs& set) {
    auto* const count = static_cast<unsigned long long*>(differences_.data());
    AGPUSIM_CUDA_CHECK(cudaMemsetAsync(count, 0, sizeof *count, cuda_stream()));
    count_differences<<<ctas, threads, 0, cuda_stream()>>>(
        set.sorted_keys.data(), expected_[0].sorted_keys.data(), n_, count);
    count_differences<<<ctas, threads, 0, cuda_stream()>>>(
        set.sorted_values.data(), expected_[0].sorted_values.data(), n_, count);
    unsigned long long differences = 0;
    differences_.download(&differences, cuda_stream());
    return differences == 0;
  }

  /// Median of the microseconds of run(pairs).
  template <class Run>
  double time(Run run) {
    return median_microseconds(n_, [&](std::int64_t i) {
      last_set_ = static_cast<std::size_t>(i) % sets_.size();
      run(sets_[last_set_]);
    });
  }

  CudaDevice& device_;
  std::FILE* out_;
  std::int64_t tasks_;
  std::int64_t n_;
  std::vector<Pairs> sets_;
  std::vector<Pairs> expected_;  // its sorted half: what the library makes of the last set
  DeviceBuffer differences_{sizeof(unsigned long long), "differences"};
  std::size_t last_set_ = 0;
  int wrong_ = 0;
};

template <class Value>
int measure_all(const AgpuSpec& spec, std::FILE* out, std::int64_t tasks, int only) {
  int wrong = 0;
  for (const int power : {20, 24, 28}) {
    if (only != 0 && power != only) continue;
    CudaDevice device(spec);
    Bench<Value> bench(device, out, tasks, std::int64_t{1} << power);
    for (const std::int64_t bits : {8, 12, 16, 32}) {
      for (const int kind : {uniform, zipf, equal, sorted}) bench.measure(kind, bits);
    }
    wrong += bench.wrong();
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(
      std::fopen(argc > 1 ? argv[1] : "radix_sort.jsonl", "w"), std::fclose);
  if (out == nullptr) return 1;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  AgpuSpec spec;
  spec.width = argc > 2 ? std::atoi(argv[2]) : 256;
  spec.shared_words = 58'112;
  const std::int64_t tasks = argc > 3 ? std::atoll(argv[3]) : 528;
  const int only = argc > 4 ? std::atoi(argv[4]) : 0;
  fmt::print("{:>10} {:>5} {:>5} {:<8} {:>10} {:>10} {:>10} {:>7} {:>7}\n", "n", "value", "range",
             "input", "ours, us", "cub, us", "floor, us", "cub/o", "floor/o");
  const int wrong = measure_all<std::uint32_t>(spec, out.get(), tasks, only) +
                    measure_all<std::uint64_t>(spec, out.get(), tasks, only);
  fmt::print("{} wrong results\n", wrong);
  return wrong == 0 ? 0 : 1;
}
