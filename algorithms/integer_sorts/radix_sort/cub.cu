#include <memory>
#include <vector>

#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/algorithms/common/library_program.cuh"
#include "agpusim/algorithms/integer_sorts/radix_sort/cub_steps.cuh"
#include "agpusim/algorithms/integer_sorts/radix_sort/pairs.hpp"

namespace agpusim {
namespace {

using namespace radix_sort;

/// A peer's run with what it leaves out of the keys' parameters.
RunConfig with_keys(RunConfig config) {
  for (const Parameter& parameter : key_parameters()) {
    config.parameters.try_emplace(parameter.name, parameter.default_value(config));
  }
  return config;
}

/// cub::DeviceRadixSort::SortPairs by the bits on which keys of the range differ, which for min = 0
/// are ceil(lg range).
template <class Value>
class SortPairs : public LibraryProgram<std::int32_t, std::int32_t> {
 public:
  explicit SortPairs(const RunConfig& config)
      : LibraryProgram(keys_of(config), static_cast<std::size_t>(config.n)),
        values_(static_cast<std::size_t>(config.n) * sizeof(Value), "values"),
        sorted_values_(static_cast<std::size_t>(config.n) * sizeof(Value), "sorted values") {
    end_bit_ = differing_bits(config.parameters.at("min"), config.parameters.at("range"));
    values_.upload(values_of<Value>(config.n).data(), cuda_stream());
    prepare(function());
  }
  void reset() override {
    LibraryProgram::reset();
    constexpr int poison = 0xa5;
    AGPUSIM_CUDA_CHECK(
        cudaMemsetAsync(sorted_values_.data(), poison, sorted_values_.bytes(), cuda_stream()));
  }
  void run() override { call(function()); }
  std::uint64_t checksum() override {
    const std::vector<std::int32_t> keys = result();
    std::vector<Value> values(keys.size());
    sorted_values_.download(values.data(), cuda_stream());
    return checksum_of<Value>({keys.begin(), keys.end()}, values);
  }

 private:
  [[nodiscard]] auto function() {
    return [this](void* temporary, std::size_t& bytes) {
      return library_sort(temporary, bytes, in(), out(), static_cast<const Value*>(values_.data()),
                          static_cast<Value*>(sorted_values_.data()), size(), end_bit_);
    };
  }

  int end_bit_ = 0;
  DeviceBuffer values_;
  DeviceBuffer sorted_values_;
};

}  // namespace

/// cub_radix_sort_pairs: the library's stable sort of the pairs of radix_sort.
void register_cub_radix_sort(CudaRegistry& registry) {
  registry.add("cub_radix_sort_pairs", [](const RunConfig& run) {
    const RunConfig config = with_keys(run);
    return with_value(config, [&]<class Value>(Value) -> std::unique_ptr<CudaProgram> {
      return std::make_unique<SortPairs<Value>>(config);
    });
  });
}

}  // namespace agpusim
