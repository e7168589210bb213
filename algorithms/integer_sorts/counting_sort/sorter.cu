#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/algorithms/integer_sorts/counting_sort/count.cuh"
#include "agpusim/algorithms/integer_sorts/counting_sort/cub_steps.cuh"
#include "agpusim/algorithms/integer_sorts/counting_sort/distinct.cuh"
#include "agpusim/algorithms/integer_sorts/counting_sort/few_values.cuh"
#include "agpusim/algorithms/integer_sorts/counting_sort/fill.cuh"
#include "agpusim/algorithms/integer_sorts/counting_sort/one_launch.cuh"
#include "agpusim/algorithms/integer_sorts/counting_sort/partition.cuh"
#include "agpusim/algorithms/integer_sorts/counting_sort/sorter.cuh"
#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/launch.cuh"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/model/error.hpp"

namespace agpusim::counting_sort {
namespace {

void set(void* memory, std::size_t bytes, Word value) {
  constexpr std::int64_t most_ctas = 256;
  const auto words = static_cast<std::int64_t>(bytes / sizeof(Word));
  launch_behind(set_words, std::min(most_ctas, (words + cta_threads - 1) / cta_threads),
                cta_threads, 0, static_cast<Word*>(memory), words, value);
}

/// An array in device memory.
class Words {
 public:
  explicit Words(std::int64_t count)
      : buffer_(static_cast<std::size_t>(std::max<std::int64_t>(count, 4)) * sizeof(Word),
                "counting sort") {}
  [[nodiscard]] Word* data() const { return static_cast<Word*>(buffer_.data()); }
  void clear() { set(data(), buffer_.bytes(), 0); }

 private:
  DeviceBuffer buffer_;
};

int multiprocessors() {
  static const int count = [] {
    int value = 0;
    require_cuda_device();
    AGPUSIM_CUDA_CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    return value;
  }();
  return count;
}

/// CTAs of a kernel that the device holds at once; lets it have that much shared memory.
template <class... Parameters>
int resident(void (*kernel)(Parameters...), int threads, std::size_t shared_bytes) {
  int most = 0;
  AGPUSIM_CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  cudaFuncAttributes attributes{};
  AGPUSIM_CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  AGPUSIM_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          most - static_cast<int>(attributes.sharedSizeBytes)));
  int each = 0;
  AGPUSIM_CUDA_CHECK(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared_bytes));
  return std::max(each, 1) * multiprocessors();
}

constexpr std::int64_t whole_quads(std::int64_t words) { return (words + 3) / 4 * 4; }

/// CTAs that have at least a load of 16 bytes for each thread.
std::int64_t busy_ctas(std::int64_t n, std::size_t key_bytes) {
  const std::int64_t each = 16 / static_cast<std::int64_t>(key_bytes) * cta_threads;
  return (n + each - 1) / each;
}

/// A problem with what the kernels take.
struct Shape {
  explicit Shape(const Problem& problem)
      : n(problem.n), least(static_cast<Word>(problem.min)), range(problem.range) {}
  std::int64_t n;
  Word least;
  std::int64_t range;

  [[nodiscard]] std::int64_t busy_ctas() const {
    return counting_sort::busy_ctas(n, sizeof(std::int32_t));
  }
};

/// The prefix sums of the counts, and the runs that they give.
class Runs {
 public:
  explicit Runs(const Shape& shape)
      : shape_(shape), starts_(shape.range + 1), fill_ctas_(resident(kernel, fill_threads, 0)) {
    scan(nullptr, nullptr);
    temporary_ = std::make_unique<DeviceBuffer>(std::max<std::size_t>(bytes_, 1), "scan");
  }
  /// From range + 1 counts, of which the last does not matter.
  void write(const Word* counts, std::int32_t* out) {
    scan(temporary_->data(), counts);
    // A long search is paid for more keys where the places of the runs are not in a near cache, but
    // every warp gets its share.
    constexpr std::int64_t of_cta = fill_places * (fill_threads / warp_lanes);
    const std::int64_t pieces = std::clamp<std::int64_t>(shape_.n / (of_cta * fill_ctas_), 1,
                                                         shape_.range > 200'000 ? 8 : 2);
    const std::int64_t each = pieces * of_cta;
    launch_behind(kernel, std::min<std::int64_t>(fill_ctas_, (shape_.n + each - 1) / each),
                  fill_threads, 0, out, static_cast<Word>(shape_.n), starts_.data(),
                  static_cast<Word>(shape_.range), nullptr, ConsecutiveValues{shape_.least},
                  static_cast<Word>(pieces));
  }

 private:
  static constexpr auto kernel = fill_runs<ConsecutiveValues>;

  void scan(void* temporary, const Word* counts) {
    prefix_sums(temporary, bytes_, counts, starts_.data(), shape_.range + 1);
  }

  Shape shape_;
  Words starts_;
  int fill_ctas_;
  std::size_t bytes_ = 0;
  std::unique_ptr<DeviceBuffer> temporary_;
};

class OneLaunch : public Sorter {
 public:
  explicit OneLaunch(const Problem& problem)
      : shape_(problem), words_(whole_quads(shape_.range + 1)), memory_(2 * words_ + 4) {
    memory_.clear();
    static_cast<void>(resident(sort_in_one_launch, cta_threads, shared_bytes()));
  }
  void enqueue(const std::int32_t* keys, std::int32_t* out) override {
    auto n = static_cast<Word>(shape_.n);
    auto range = static_cast<Word>(shape_.range);
    OneLaunchState state{memory_.data(), static_cast<Word>(words_), memory_.data() + 2 * words_};
    Word epoch = epoch_++;
    void* arguments[] = {&keys, &out, &n, &shape_.least, &range, &state, &epoch};
    AGPUSIM_CUDA_CHECK(
        cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(sort_in_one_launch),
                                    dim3(static_cast<unsigned>(multiprocessors())),
                                    dim3(cta_threads), arguments, shared_bytes(), cuda_stream()));
  }

 private:
  [[nodiscard]] std::size_t shared_bytes() const {
    return (cta_threads / warp_lanes * fill_places + static_cast<std::size_t>(words_)) *
           sizeof(Word);
  }
  Shape shape_;
  std::int64_t words_;
  Words memory_;
  Word epoch_ = 0;
};

class WordCounts : public Sorter {
 public:
  explicit WordCounts(const Problem& problem)
      : shape_(problem), words_(whole_quads(shape_.range)), counts_(words_ + 4), runs_(shape_) {
    ctas_ = std::min(resident(count_words, cta_threads, bytes()), 2 * multiprocessors());
  }
  void enqueue(const std::int32_t* keys, std::int32_t* out) override {
    counts_.clear();
    launch_behind(count_words, std::min<std::int64_t>(ctas_, shape_.busy_ctas()), cta_threads,
                  bytes(), keys, shape_.n, shape_.least, 0, static_cast<Word>(words_),
                  counts_.data());
    runs_.write(counts_.data(), out);
  }

 private:
  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(words_) * sizeof(Word);
  }
  Shape shape_;
  std::int64_t words_;
  Words counts_;
  Runs runs_;
  int ctas_ = 0;
};

/// As many passes over the keys as parts of the range whose counters fit into shared memory.
template <int bits>
class PackedCounts : public Sorter {
 public:
  explicit PackedCounts(const Problem& problem)
      : shape_(problem),
        span_(std::min(whole_quads(shape_.range), shared_bytes * 8 / bits / 32 * 32)),
        words_(whole_quads((span_ + per_word - 1) / per_word)),
        counts_(shape_.range + 64),
        ctas_(std::min<std::int64_t>(resident(kernel, cta_threads, bytes()), shape_.busy_ctas())),
        tables_(ctas_ * words_),
        runs_(shape_) {}
  void enqueue(const std::int32_t* keys, std::int32_t* out) override {
    counts_.clear();
    for (std::int64_t low = 0; low < shape_.range; low += span_) {
      const auto span = static_cast<Word>(std::min(span_, shape_.range - low));
      Word* const bins = counts_.data() + low;
      launch_behind(kernel, ctas_, cta_threads, bytes(), keys, shape_.n,
                    shape_.least + static_cast<Word>(low), span, static_cast<Word>(words_), bins,
                    tables_.data());
      launch_behind(add_tables<bits>, (words_ + warp_lanes - 1) / warp_lanes, 256, 0,
                    tables_.data(), static_cast<int>(ctas_), static_cast<Word>(words_), bins, span);
    }
    runs_.write(counts_.data(), out);
  }

 private:
  static constexpr auto kernel = count_packed<bits>;
  static constexpr std::int64_t per_word = 32 / bits;
  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(words_) * sizeof(Word);
  }
  Shape shape_;
  std::int64_t span_;
  std::int64_t words_;
  Words counts_;
  std::int64_t ctas_;
  Words tables_;
  Runs runs_;
};

constexpr std::size_t split_bytes = tile_keys * sizeof(Word);

class Partition : public Sorter {
 public:
  explicit Partition(const Problem& problem)
      : shape_(problem),
        shift_(shape_.range > std::int64_t{1} << 22 ? 15 : 14),
        buckets_(static_cast<int>(((shape_.range - 1) >> shift_) + 1)),
        bins_(std::int64_t{buckets_} << shift_),
        small_(4 * most_buckets),
        parts_((shape_.n + 1) / 2 + 4),
        counts_(bins_ + 4),
        runs_(shape_),
        coarse_ctas_(
            std::min(resident(count_words, cta_threads, coarse_bytes()), 2 * multiprocessors())),
        split_ctas_(resident(split<std::uint16_t>, cta_threads, split_bytes)),
        count_ctas_(resident(count_buckets, cta_threads, sizeof(Word) << shift_)) {}
  void enqueue(const std::int32_t* keys, std::int32_t* out) override {
    Word* const sizes = small_.data();
    Word* const cursors = sizes + most_buckets;
    Word* const begins = cursors + most_buckets;
    auto* const parts = reinterpret_cast<std::uint16_t*>(parts_.data());
    small_.clear();
    counts_.clear();
    launch_behind(count_words, std::min<std::int64_t>(coarse_ctas_, shape_.busy_ctas()),
                  cta_threads, coarse_bytes(), keys, shape_.n, shape_.least, shift_,
                  static_cast<Word>(whole_quads(buckets_)), sizes);
    launch_behind(begin_buckets, 1, cta_threads, 0, sizes, buckets_, cursors, begins);
    launch_behind(split<std::uint16_t>,
                  std::min<std::int64_t>(split_ctas_, (shape_.n + tile_keys - 1) / tile_keys),
                  cta_threads, split_bytes, keys, static_cast<Word>(shape_.n), shape_.least,
                  Buckets{cursors, buckets_, shift_, 0}, parts);
    // Units small enough for every CTA to get several, large enough for the bins that each adds.
    const std::int64_t even = shape_.n / (std::int64_t{count_ctas_} * 4) / 8 * 8;
    launch_behind(count_buckets, count_ctas_, cta_threads, sizeof(Word) << shift_, parts, begins,
                  buckets_, shift_,
                  static_cast<Word>(std::clamp<std::int64_t>(even, 1 << 16, 1 << 20)),
                  counts_.data());
    runs_.write(counts_.data(), out);
  }

 private:
  [[nodiscard]] std::size_t coarse_bytes() const {
    return static_cast<std::size_t>(whole_quads(buckets_)) * sizeof(Word);
  }
  Shape shape_;
  int shift_;
  int buckets_;
  std::int64_t bins_;
  Words small_;
  Words parts_;
  Words counts_;
  Runs runs_;
  int coarse_ctas_;
  int split_ctas_;
  int count_ctas_;
};

class Distinct : public Sorter {
 public:
  explicit Distinct(const Problem& problem)
      : shape_(problem),
        shift_(std::max(10, static_cast<int>(std::bit_width(
                                static_cast<std::uint64_t>((shape_.range - 1) / wanted()))))),
        buckets_(static_cast<int>(((shape_.range - 1) >> shift_) + 1)),
        small_(2 * small_words),
        parts_(std::int64_t{buckets_} << shift_),
        ctas_(std::min<std::int64_t>(resident(split<Word>, cta_threads, split_bytes),
                                     (shape_.n + tile_keys - 1) / tile_keys)) {
    static_cast<void>(resident(write_buckets, cta_threads, bit_bytes()));
    small_.clear();
  }
  void enqueue(const std::int32_t* keys, std::int32_t* out) override {
    Word* const next = small();
    odd_ = !odd_;
    const Buckets buckets{small(), buckets_, shift_, Word{1} << shift_};
    launch_behind(split<Word>, ctas_, cta_threads, split_bytes, keys, static_cast<Word>(shape_.n),
                  shape_.least, buckets, parts_.data());
    launch_behind(write_buckets, buckets_, cta_threads, bit_bytes(), parts_.data(), buckets,
                  shape_.least, out, small() + most_buckets, next, small_words);
  }
  bool succeeded() override {
    Word repeated = 0;
    AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(&repeated, small() + most_buckets, sizeof repeated,
                                       cudaMemcpyDeviceToHost, cuda_stream()));
    AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(cuda_stream()));
    return repeated == 0;
  }

 private:
  /// Buckets: one or two for every multiprocessor.
  [[nodiscard]] std::int64_t wanted() const { return shape_.range > 1 << 27 ? 256 : 128; }
  [[nodiscard]] std::size_t bit_bytes() const { return std::size_t{1} << shift_ >> 3; }
  /// The cursors of the last run, and whether keys of it were equal; the other half is 0.
  [[nodiscard]] Word* small() const { return small_.data() + (odd_ ? small_words : 0); }
  static constexpr Word small_words = most_buckets + 4;
  Shape shape_;
  int shift_;
  int buckets_;
  Words small_;
  bool odd_ = false;
  Words parts_;
  std::int64_t ctas_;
};

template <class Key>
class FewValues : public SorterOf<Key> {
 public:
  explicit FewValues(std::int64_t n)
      : n_(n),
        memory_(sizeof(Table) / sizeof(Word)),
        values_((most_values + 4) * sizeof(Key) / sizeof(Word)),
        starts_(most_values + 4),
        count_ctas_(resident(count_values<Key>, cta_threads, table_bytes<BitsOf<Key>>)),
        fill_ctas_(resident(fill_kernel, fill_threads, 0)) {
    static_cast<void>(resident(order_values<Key>, cta_threads, order_bytes));
  }
  void enqueue(const Key* keys, Key* out) override {
    auto* const table = reinterpret_cast<Table*>(memory_.data());
    memory_.clear();
    set(table->values, sizeof table->values, ~Word{0});
    launch_behind(count_values<Key>,
                  std::min<std::int64_t>(count_ctas_, busy_ctas(n_, sizeof(Key))), cta_threads,
                  table_bytes<BitsOf<Key>>, keys, n_, table);
    auto* const values = reinterpret_cast<Key*>(values_.data());
    const auto n = static_cast<Word>(n_);
    launch_behind(order_values<Key>, multiprocessors(), cta_threads, order_bytes, table, n, values,
                  starts_.data());
    constexpr Word pieces = 2;
    constexpr std::int64_t each = std::int64_t{pieces} * fill_places * (fill_threads / warp_lanes);
    launch_behind(fill_kernel, std::min<std::int64_t>(fill_ctas_, (n_ + each - 1) / each),
                  fill_threads, 0, out, n, starts_.data(), Word{0}, &table->runs,
                  ListedValues<Key>{values}, pieces);
  }
  bool succeeded() override {
    Word too_many = 0;
    const auto* const table = reinterpret_cast<const Table*>(memory_.data());
    AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(&too_many, &table->too_many, sizeof too_many,
                                       cudaMemcpyDeviceToHost, cuda_stream()));
    AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(cuda_stream()));
    return too_many == 0;
  }

 private:
  using Table = ValueTable<BitsOf<Key>>;
  static constexpr auto fill_kernel = fill_runs<ListedValues<Key>>;
  static constexpr std::size_t order_bytes = most_values * sizeof(CountedValue<Key>);
  std::int64_t n_;
  Words memory_;
  Words values_;
  Words starts_;
  int count_ctas_;
  int fill_ctas_;
};

/// cub::DeviceRadixSort by the lowest `bits` bits.
template <class Key>
class Radix : public SorterOf<Key> {
 public:
  Radix(std::int64_t n, int bits) : n_(n), bits_(bits) {
    sort(nullptr, nullptr, nullptr);
    temporary_ = std::make_unique<DeviceBuffer>(std::max<std::size_t>(bytes_, 1), "radix sort");
  }
  void enqueue(const Key* keys, Key* out) override { sort(temporary_->data(), keys, out); }

 private:
  void sort(void* temporary, const Key* keys, Key* out) {
    radix_sort(temporary, bytes_, keys, out, n_, bits_);
  }
  std::int64_t n_;
  int bits_;
  std::size_t bytes_ = 0;
  std::unique_ptr<DeviceBuffer> temporary_;
};

}  // namespace

std::vector<std::int32_t> sample(const std::int32_t* keys, std::int64_t n) {
  const std::int64_t count = std::min<std::int64_t>(sample_keys, n);
  std::vector<std::int32_t> result(static_cast<std::size_t>(count));
  const auto pitch = static_cast<std::size_t>(n / count) * sizeof(std::int32_t);
  AGPUSIM_CUDA_CHECK(cudaMemcpy2DAsync(result.data(), sizeof(std::int32_t), keys, pitch,
                                       sizeof(std::int32_t), result.size(), cudaMemcpyDeviceToHost,
                                       cuda_stream()));
  AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(cuda_stream()));
  return result;
}

std::unique_ptr<Sorter> make_sorter(Method method, const Problem& problem) {
  if (!possible(method, problem)) {
    throw UsageError(fmt::format("counting_sort ({}) cannot sort n = {} keys of a range of {}",
                                 to_string(method), problem.n, problem.range));
  }
  switch (method) {
    case Method::one_launch:
      return std::make_unique<OneLaunch>(problem);
    case Method::words:
      return std::make_unique<WordCounts>(problem);
    case Method::packed_16:
      return std::make_unique<PackedCounts<16>>(problem);
    case Method::packed_8:
      return std::make_unique<PackedCounts<8>>(problem);
    case Method::partition:
      return std::make_unique<Partition>(problem);
    case Method::distinct:
      return std::make_unique<Distinct>(problem);
    case Method::few_values:
      return std::make_unique<FewValues<std::int32_t>>(problem.n);
    default:
      return std::make_unique<Radix<std::int32_t>>(problem.n,
                                                   differing_bits(problem.min, problem.range));
  }
}

template <class Key>
SortersOfAny<Key> make_sorters_of_any(std::int64_t n) {
  if (!possible(Method::few_values, {n, 0, 1})) {
    throw UsageError(fmt::format("few_values_sort cannot sort n = {} keys: more than an int", n));
  }
  return {std::make_unique<FewValues<Key>>(n),
          std::make_unique<Radix<Key>>(n, static_cast<int>(8 * sizeof(Key)))};
}
template SortersOfAny<std::uint32_t> make_sorters_of_any(std::int64_t);
template SortersOfAny<std::uint64_t> make_sorters_of_any(std::int64_t);

}  // namespace agpusim::counting_sort
