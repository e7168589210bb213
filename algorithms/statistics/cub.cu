#include <algorithm>
#include <cmath>

#include <cub/device/device_reduce.cuh>
#include <cuda/functional>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/library_program.cuh"
#include "agpusim/algorithms/common/numeric_input.hpp"
#include "agpusim/algorithms/statistics/record.hpp"

// cub::DeviceReduce over structures with the content of our records, for numbers without NaN.
namespace agpusim {
namespace {

using namespace statistics;

template <class T>
struct Range {
  T min;
  T max;
  std::int64_t argmin;
  std::int64_t argmax;
};

struct WithinRange {
  template <class T>
  __host__ __device__ static void merge(Range<T>& a, const Range<T>& b) {
    if (b.min < a.min || (b.min == a.min && b.argmin < a.argmin)) {
      a.min = b.min;
      a.argmin = b.argmin;
    }
    if (b.max > a.max || (b.max == a.max && b.argmax < a.argmax)) {
      a.max = b.max;
      a.argmax = b.argmax;
    }
  }
};

/// Without moments.
template <class T>
struct RangeOnly {
  using Element = T;
  Range<T> range;

  struct Load {
    const T* in;
    __host__ __device__ RangeOnly operator()(std::int64_t i) const {
      return {{in[i], in[i], i, i}};
    }
  };
  struct Merge {
    __host__ __device__ RangeOnly operator()(RangeOnly a, const RangeOnly& b) const {
      WithinRange::merge(a.range, b.range);
      return a;
    }
  };
  void read(Summary<T>&, T) const {}
};

/// Sums of x - in[0] and of its square.
template <class T>
struct WithSums {
  using Element = T;
  Range<T> range;
  double sum;
  double squares;

  struct Load {
    const T* in;
    __host__ __device__ WithSums operator()(std::int64_t i) const {
      const double d = static_cast<double>(in[i]) - static_cast<double>(in[0]);
      return {{in[i], in[i], i, i}, d, d * d};
    }
  };
  struct Merge {
    __host__ __device__ WithSums operator()(WithSums a, const WithSums& b) const {
      WithinRange::merge(a.range, b.range);
      a.sum += b.sum;
      a.squares += b.squares;
      return a;
    }
  };
  void read(Summary<T>& to, T first) const {
    const auto n = static_cast<double>(to.n);
    to.mean = static_cast<double>(first) + sum / n;
    to.variance = (squares - sum * (sum / n)) / n;
  }
};

/// (n, mean, M2), merged as Chan, Golub and LeVeque do.
template <class T>
struct WithMoments {
  using Element = T;
  Range<T> range;
  double n;
  double mean;
  double m2;

  struct Load {
    const T* in;
    __host__ __device__ WithMoments operator()(std::int64_t i) const {
      return {{in[i], in[i], i, i}, 1, static_cast<double>(in[i]), 0};
    }
  };
  struct Merge {
    __host__ __device__ WithMoments operator()(WithMoments a, const WithMoments& b) const {
      WithinRange::merge(a.range, b.range);
      const double n = a.n + b.n;
      const double delta = b.mean - a.mean;
      const double share = b.n / n;
      a.m2 += b.m2 + delta * delta * a.n * share;
      a.mean += delta * share;
      a.n = n;
      return a;
    }
  };
  void read(Summary<T>& to, T) const {
    to.mean = mean;
    to.variance = m2 / n;
  }
};

template <class Record, class Moments>
class CubRecordReduce : public LibraryProgram<typename Record::Element, Record> {
 public:
  using T = typename Record::Element;

  explicit CubRecordReduce(const RunConfig& config)
      : CubRecordReduce(config, numeric_input<T>(config)) {}
  void run() override { this->call(function()); }
  std::uint64_t checksum() override {
    const Record record = this->result().front();
    Summary<T> summary{config_.n, record.range.min, record.range.argmin, record.range.max,
                       record.range.argmax};
    record.read(summary, first_);
    const Summary<T> exact = expected<T, Moments>(config_);
    return summary_checksum(summary, exact, tolerance(exact, {config_.n, 1}, Moments{}));
  }

 private:
  CubRecordReduce(const RunConfig& config, const std::vector<T>& numbers)
      : LibraryProgram<T, Record>(numbers, 1), config_(config), first_(numbers.front()) {
    nothing_.range = {std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest(), config.n,
                      config.n};
    this->prepare(function());
  }

  [[nodiscard]] auto function() {
    return [this](void* temporary, std::size_t& bytes) {
      const auto records = thrust::make_transform_iterator(
          thrust::counting_iterator<std::int64_t>(0), typename Record::Load{this->in()});
      return cub::DeviceReduce::Reduce(temporary, bytes, records, this->out(), this->size(),
                                       typename Record::Merge{}, nothing_, cuda_stream());
    };
  }

  RunConfig config_;
  T first_;
  Record nothing_{};  // what the fold starts from
};

struct Widen {
  template <class T>
  __host__ __device__ double operator()(T x) const {
    return static_cast<double>(x);
  }
};
struct Square {
  template <class T>
  __host__ __device__ double operator()(T x) const {
    return static_cast<double>(x) * static_cast<double>(x);
  }
};

/// Four reductions, one after the other: minimum, maximum, sum of x and of x^2 in double. They say
/// nothing of where the extremes are.
template <class T>
class CubSeparate : public LibraryProgram<T, double> {
 public:
  explicit CubSeparate(const RunConfig& config)
      : LibraryProgram<T, double>(numeric_input<T>(config), 4), config_(config) {
    each([this](const auto& function) { this->prepare(function); });
  }
  void run() override {
    each([this](const auto& function) { this->call(function); });
  }
  std::uint64_t checksum() override {
    const std::vector<double> found = this->result();
    const auto n = static_cast<double>(config_.n);
    const Summary<T> exact = expected<T, ShiftedMoments<T>>(config_);
    Summary<T> summary = exact;
    summary.min = static_cast<T>(found[0]);
    summary.max = static_cast<T>(found[1]);
    summary.mean = found[2] / n;
    summary.variance = found[3] / n - summary.mean * summary.mean;
    const double largest = std::max(std::abs(static_cast<double>(exact.min)),
                                    std::abs(static_cast<double>(exact.max)));
    const double square = exact.variance + exact.mean * exact.mean;
    return summary_checksum(summary, exact, {1e-12 * largest, 1e-12 * square});
  }

 private:
  template <class Use>
  void each(const Use& use) {
    const T* const in = this->in();
    double* const out = this->out();
    const std::int64_t n = this->size();
    const cudaStream_t stream = cuda_stream();
    use([=](void* temporary, std::size_t& bytes) {
      return cub::DeviceReduce::Min(temporary, bytes, in, out, n, stream);
    });
    use([=](void* temporary, std::size_t& bytes) {
      return cub::DeviceReduce::Max(temporary, bytes, in, out + 1, n, stream);
    });
    use([=](void* temporary, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(temporary, bytes, thrust::make_transform_iterator(in, Widen{}),
                                    out + 2, n, stream);
    });
    use([=](void* temporary, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(temporary, bytes, thrust::make_transform_iterator(in, Square{}),
                                    out + 3, n, stream);
    });
  }

  RunConfig config_;
};

template <template <class> class Record, template <class> class Moments>
std::unique_ptr<CudaProgram> make_record_reduce(const RunConfig& config) {
  if (config.type == "f32") {
    return std::make_unique<CubRecordReduce<Record<float>, Moments<float>>>(config);
  }
  if (config.type == "f64") {
    return std::make_unique<CubRecordReduce<Record<double>, Moments<double>>>(config);
  }
  throw UsageError(config.algorithm + " takes f32 and f64, not " + config.type);
}

}  // namespace

void register_cub_statistics(CudaRegistry& registry) {
  registry.add("cub_minmax", [](const RunConfig& config) -> std::unique_ptr<CudaProgram> {
    if (config.type == "i32") {
      return std::make_unique<CubRecordReduce<RangeOnly<std::int32_t>, NoMoments<std::int32_t>>>(
          config);
    }
    return make_record_reduce<RangeOnly, NoMoments>(config);
  });
  registry.add("cub_statistics", [](const RunConfig& config) {
    return config.variant == "chan" ? make_record_reduce<WithMoments, ShiftedMoments>(config)
                                    : make_record_reduce<WithSums, ShiftedMoments>(config);
  });
  registry.add("cub_separate_statistics",
               [](const RunConfig& config) -> std::unique_ptr<CudaProgram> {
                 if (config.type == "f64") return std::make_unique<CubSeparate<double>>(config);
                 return std::make_unique<CubSeparate<float>>(config);
               });
}

}  // namespace agpusim
