#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include <cub/device/device_radix_sort.cuh>

#include "agpusim/algorithms/integer_sorts/seed_hp_sorts/cub_steps.cuh"
#include "agpusim/algorithms/integer_sorts/seed_hp_sorts/workspace.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/registry.hpp"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace seed_hp_sorts {
namespace {

constexpr int key_bits = 32;

[[noreturn]] void unknown_variant(const RunConfig& config, const char* known) {
  throw UsageError(
      fmt::format("{} has no variant '{}': known are {}", config.algorithm, config.variant, known));
}

/// cub::DeviceRadixSort::SortKeys. "fitted_bits" leaves out the high bits on which all values of
/// the range agree, which for min = 0 leaves ceil(lg range) of them; "all_bits" sorts by all 32.
class CubRadixSort : public SortProgram {
 public:
  explicit CubRadixSort(const RunConfig& config) : SortProgram(config) {
    if (config.variant == "fitted_bits") {
      end_bit_ = differing_bits(min(), range());
    } else if (config.variant != "all_bits") {
      unknown_variant(config, "all_bits, fitted_bits");
    }
    sort(nullptr);
    temporary_ = workspace().reserve(bytes_);
    workspace().allocate();
  }

  void run() override {
    if (n() > 0) sort(workspace().at(temporary_));
  }

 private:
  /// Without temporary storage only asks how much it needs.
  void sort(void* temporary) {
    AGPUSIM_CUDA_CHECK(cub::DeviceRadixSort::SortKeys(temporary, bytes_, x(), y(), n(), 0, end_bit_,
                                                      cuda_stream()));
  }

  int end_bit_ = key_bits;
  std::size_t bytes_ = 0;
  std::size_t temporary_ = 0;
};

/// A program with what its scans need in the workspace.
class SeedProgram : public SortProgram {
 protected:
  explicit SeedProgram(const RunConfig& config) : SortProgram(config) {
    require_int_index(config, "range", key_shape(config).range);
    scan_bytes_ = scan_bytes(n(), range());
    scan_ = workspace().reserve(scan_bytes_);
  }

  [[nodiscard]] Scan scan() const { return {workspace().at(scan_), scan_bytes_}; }

 private:
  std::size_t scan_bytes_ = 0;
  std::size_t scan_ = 0;
};

/// Algorithm 2.
class HpSort : public SeedProgram {
 public:
  explicit HpSort(const RunConfig& config) : SeedProgram(config) {
    Workspace& memory = workspace();
    const auto a = memory.reserve_ints(range());
    const auto ap = memory.reserve_ints(range());
    const auto b = memory.reserve_ints(std::int64_t{n()} + 1);
    memory.allocate();
    arrays_ = {memory.ints_at(a), memory.ints_at(ap), memory.ints_at(b)};
  }

  void run() override {
    if (n() > 0) hp_sort(scan(), arrays_, x(), y(), n(), min(), range());
  }

 private:
  HpArrays arrays_;
};

/// Algorithm 3.
class OneHpSort : public SeedProgram {
 public:
  explicit OneHpSort(const RunConfig& config) : SeedProgram(config) {
    Workspace& memory = workspace();
    const auto a = memory.reserve_ints(range());
    const auto ap = memory.reserve_ints(range());
    memory.allocate();
    a_ = memory.ints_at(a);
    ap_ = memory.ints_at(ap);
  }

  void run() override {
    if (n() == 0) return;
    histogram(x(), a_, n(), min(), range());
    prefix_sums(scan(), a_, ap_, range(), 0);
    launch(one_hp_tail, range(), min(), range(), ap_, y());
  }

  /// Throws UsageError that names a key which occurs more than once.
  std::uint64_t checksum() override {
    std::vector<int> counts(static_cast<std::size_t>(range()));
    AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(counts.data(), a_, counts.size() * sizeof(int),
                                       cudaMemcpyDeviceToHost, cuda_stream()));
    AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(cuda_stream()));
    const auto twice =
        n() == 0 ? counts.end()
                 : std::find_if(counts.begin(), counts.end(), [](int count) { return count > 1; });
    if (twice != counts.end()) {
      throw UsageError(
          fmt::format("seed_one_hp_sort sorts distinct keys only: key {} occurs {} "
                      "times; use input distinct",
                      min() + (twice - counts.begin()), *twice));
    }
    return SeedProgram::checksum();
  }

 private:
  int* a_;   // [range] occurrences of each value
  int* ap_;  // [range] prefix sums of a_
};

/// Algorithm 5. Its line 5 reads len, the number of different keys, on the host, which then
/// launches for so many: variant "host_len". "bound_len" launches for the most there can be,
/// min(n, range), and never waits for the device.
class ZeroCompressedHpSort : public SeedProgram {
 public:
  explicit ZeroCompressedHpSort(const RunConfig& config)
      : SeedProgram(config), on_host_(config.variant.empty() || config.variant == "host_len") {
    if (!on_host_ && config.variant != "bound_len") unknown_variant(config, "host_len, bound_len");
    Workspace& memory = workspace();
    const auto a = memory.reserve_ints(range());
    const auto a01 = memory.reserve_ints(range());
    const auto a01p = memory.reserve_ints(range());
    const auto c = memory.reserve_ints(std::int64_t{most()} + 1);
    const auto cp = memory.reserve_ints(std::int64_t{most()} + 1);
    const auto ic = memory.reserve_ints(std::int64_t{most()} + 1);
    const auto b = memory.reserve_ints(n());
    memory.allocate();
    a_ = memory.ints_at(a);
    a01_ = memory.ints_at(a01);
    a01p_ = memory.ints_at(a01p);
    c_ = memory.ints_at(c);
    cp_ = memory.ints_at(cp);
    ic_ = memory.ints_at(ic);
    b_ = memory.ints_at(b);
    AGPUSIM_CUDA_CHECK(cudaMallocHost(&len_, sizeof(int)));
  }
  ~ZeroCompressedHpSort() override { static_cast<void>(cudaFreeHost(len_)); }
  ZeroCompressedHpSort(const ZeroCompressedHpSort&) = delete;
  ZeroCompressedHpSort& operator=(const ZeroCompressedHpSort&) = delete;

  void run() override {
    if (n() == 0) return;
    histogram(x(), a_, n(), min(), range());
    launch(binarize, range(), range(), a_, a01_);
    prefix_sums(scan(), a01_, a01p_, range(), 0);
    const int* const len_at = a01p_ + (range() - 1);
    const int len = on_host_ ? fetch(len_at) : most();
    launch(compress_a01p, range(), min(), range(), a_, a01p_, c_, ic_);
    prefix_sums(scan(), c_ + 1, cp_ + 1, len, 0);
    clear(b_, n());
    clear(cp_, 1);
    clear(ic_, 1);
    launch(expand_to_b, len, len_at, cp_, ic_, b_);
    prefix_sums(scan(), b_, y(), n(), 0);
  }

 private:
  /// The most different keys there can be.
  [[nodiscard]] int most() const { return std::min(n(), range()); }

  int fetch(const int* from) {
    AGPUSIM_CUDA_CHECK(
        cudaMemcpyAsync(len_, from, sizeof(int), cudaMemcpyDeviceToHost, cuda_stream()));
    AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(cuda_stream()));
    return *len_;
  }

  bool on_host_;
  int* len_ = nullptr;  // on the host
  int* a_;              // [range] occurrences of each value
  int* a01_;            // [range] whether each value occurs
  int* a01p_;           // [range] prefix sums of a01_
  int* c_;              // [len + 1] occurrences of the values that occur, from 1
  int* cp_;             // [len + 1] prefix sums of c_
  int* ic_;             // [len + 1] the values that occur, from 1
  int* b_;              // [n] steps of the result
};

template <class Program>
void add(CudaRegistry& registry, const char* name) {
  registry.add(name, [](const RunConfig& config) -> std::unique_ptr<CudaProgram> {
    return std::make_unique<Program>(config);
  });
}

}  // namespace
}  // namespace seed_hp_sorts

void register_cub_seed_hp_sorts(CudaRegistry& registry) {
  using namespace seed_hp_sorts;
  add<CubRadixSort>(registry, "cub_radix_sort");
  add<HpSort>(registry, "seed_hp_sort");
  add<OneHpSort>(registry, "seed_one_hp_sort");
  add<ZeroCompressedHpSort>(registry, "seed_zero_compressed_hp_sort");
}

}  // namespace agpusim
