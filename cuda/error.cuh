#pragma once

#include <string>

#include <cuda_runtime_api.h>

#include "agpusim/model/error.hpp"

namespace agpusim {

/// A call of the CUDA runtime failed. Its exit code is `unavailable` when this machine lacks a
/// device, driver or memory, else `internal`.
class CudaError : public Error {
 public:
  CudaError(cudaError_t code, const std::string& message);
  [[nodiscard]] cudaError_t cuda_code() const noexcept { return cuda_code_; }

 private:
  cudaError_t cuda_code_;
};

namespace detail {

[[noreturn]] void throw_cuda_error(cudaError_t code, const char* expression, const char* file,
                                   int line);

inline void cuda_check(cudaError_t code, const char* expression, const char* file, int line) {
  if (code != cudaSuccess) throw_cuda_error(code, expression, file, line);
}

}  // namespace detail
}  // namespace agpusim

/// Throws agpusim::CudaError, with the text and place of `expression`, unless it is cudaSuccess.
#define AGPUSIM_CUDA_CHECK(expression) \
  ::agpusim::detail::cuda_check((expression), #expression, __FILE__, __LINE__)
