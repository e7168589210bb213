#include <cub/device/device_reduce.cuh>

#include "agpusim/algorithms/checksum.hpp"
#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/algorithms/inputs.hpp"
#include "agpusim/validation/cuda/library_program.cuh"

namespace agpusim {
namespace {

/// cub::DeviceReduce::Sum.
template <class T>
class CubReduce : public LibraryProgram<T, T> {
 public:
  explicit CubReduce(const RunConfig& config)
      : LibraryProgram<T, T>(generate<T>(config.input, config.n, config.seed), 1) {
    this->prepare(function());
  }
  void run() override { this->call(function()); }
  std::uint64_t checksum() override { return agpusim::checksum(this->result()); }

 private:
  [[nodiscard]] auto function() {
    return [this](void* temporary, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(temporary, bytes, this->in(), this->out(), this->size(),
                                    cuda_stream());
    };
  }
};

}  // namespace

void register_cub_reduce(CudaRegistry& registry) {
  registry.add("cub_reduce", [](const RunConfig& config) {
    return with_element_type(config.type, [&]<class T>(T) -> std::unique_ptr<CudaProgram> {
      return std::make_unique<CubReduce<T>>(config);
    });
  });
}

}  // namespace agpusim
