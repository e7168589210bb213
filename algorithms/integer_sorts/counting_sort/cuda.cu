#include <algorithm>
#include <memory>
#include <vector>

#include "agpusim/algorithms/integer_sorts/counting_sort/sorter.cuh"
#include "agpusim/algorithms/integer_sorts/seed_hp_sorts/workspace.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/registry.hpp"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace counting_sort {
namespace {

/// The sort of the keys of a run, by the method that its variant names or, for "auto", by the one
/// that is predicted to be the fastest. A run whose keys turn out not to be what the method needs
/// is repeated by the radix sort; that it must look is part of what is timed.
class Program : public seed_hp_sorts::SortProgram {
 public:
  explicit Program(const RunConfig& config)
      : SortProgram(config),
        problem_{n(), min(), range()},
        method_(config.variant.empty() || config.variant == "auto" ? Method::radix
                                                                   : parse_method(config.variant)) {
    workspace().allocate();
    if (n() == 0) return;
    if (config.variant.empty() || config.variant == "auto") {
      Probe found = probe(sample());
      found.differ = config.input == "distinct";
      method_ = choose(problem_, found).method;
    }
    sorter_ = make_sorter(method_, problem_);
    if (may_fail()) fallback_ = make_sorter(Method::radix, problem_);
  }

  void run() override {
    if (n() == 0) return;
    sorter_->enqueue(x(), y());
    if (may_fail() && !sorter_->succeeded()) fallback_->enqueue(x(), y());
  }

 private:
  /// Keys from all over the input.
  [[nodiscard]] std::vector<std::int32_t> sample() const {
    const std::int64_t count = std::min<std::int64_t>(sample_keys, n());
    const auto pitch = static_cast<std::size_t>(n() / count) * sizeof(std::int32_t);
    std::vector<std::int32_t> keys(static_cast<std::size_t>(count));
    AGPUSIM_CUDA_CHECK(cudaMemcpy2DAsync(keys.data(), sizeof(std::int32_t), x(), pitch,
                                         sizeof(std::int32_t), static_cast<std::size_t>(count),
                                         cudaMemcpyDeviceToHost, cuda_stream()));
    AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(cuda_stream()));
    return keys;
  }

  [[nodiscard]] bool may_fail() const {
    return method_ == Method::distinct || method_ == Method::few_values;
  }

  Problem problem_;
  Method method_;
  std::unique_ptr<Sorter> sorter_;
  std::unique_ptr<Sorter> fallback_;
};

}  // namespace
}  // namespace counting_sort

void register_cuda_counting_sort(CudaRegistry& registry) {
  registry.add("counting_sort", [](const RunConfig& config) -> std::unique_ptr<CudaProgram> {
    return std::make_unique<counting_sort::Program>(config);
  });
}

}  // namespace agpusim
