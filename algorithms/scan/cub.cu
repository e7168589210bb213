#include <limits>

#include <cub/device/device_scan.cuh>

#include "agpusim/algorithms/checksum.hpp"
#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/algorithms/inputs.hpp"
#include "agpusim/validation/cuda/library_program.cuh"

namespace agpusim {
namespace {

/// cub::DeviceScan::InclusiveSum.
template <class T>
class CubScan : public LibraryProgram<T, T> {
 public:
  explicit CubScan(const RunConfig& config)
      : LibraryProgram<T, T>(generate<T>(config.input, config.n, config.seed),
                             static_cast<std::size_t>(config.n)) {
    this->prepare(function());
  }
  void run() override { this->call(function()); }
  std::uint64_t checksum() override { return agpusim::checksum(this->result()); }

 private:
  [[nodiscard]] auto function() {
    return [this](void* temporary, std::size_t& bytes) {
      // 32-bit sizes spare the kernel 64-bit index arithmetic.
      if (this->size() <= std::numeric_limits<std::int32_t>::max()) {
        return cub::DeviceScan::InclusiveSum(temporary, bytes, this->in(), this->out(),
                                             static_cast<std::int32_t>(this->size()),
                                             cuda_stream());
      }
      return cub::DeviceScan::InclusiveSum(temporary, bytes, this->in(), this->out(), this->size(),
                                           cuda_stream());
    };
  }
};

}  // namespace

void register_cub_scan(CudaRegistry& registry) {
  registry.add("cub_scan", [](const RunConfig& config) {
    return with_element_type(config.type, [&]<class T>(T) -> std::unique_ptr<CudaProgram> {
      return std::make_unique<CubScan<T>>(config);
    });
  });
}

}  // namespace agpusim
