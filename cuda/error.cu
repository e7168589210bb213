#include <fmt/format.h>

#include "agpusim/cuda/error.cuh"

namespace agpusim {
namespace {

ExitCode exit_code_of(cudaError_t code) {
  switch (code) {
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
    case cudaErrorSystemNotReady:
    case cudaErrorDevicesUnavailable:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorMemoryAllocation:
      return ExitCode::unavailable;
    default:
      return ExitCode::internal;
  }
}

/// What a user can do about it; empty where nothing general can be said.
const char* remedy(cudaError_t code) {
  switch (code) {
    case cudaErrorNoDevice:
      return "; an NVIDIA GPU is needed";
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
      return "; an NVIDIA GPU with a driver for this CUDA version is needed";
    case cudaErrorNoKernelImageForDevice:
      return "; build with -DCMAKE_CUDA_ARCHITECTURES=<the device's compute capability>";
    case cudaErrorMemoryAllocation:
      return "; use a smaller n, or end the other programs on the device";
    default:
      return "";
  }
}

}  // namespace

CudaError::CudaError(cudaError_t code, const std::string& message)
    : Error(exit_code_of(code), message + remedy(code)), cuda_code_(code) {}

void detail::throw_cuda_error(cudaError_t code, const char* expression, const char* file,
                              int line) {
  throw CudaError(code, fmt::format("{}:{}: {} failed: {} ({})", file, line, expression,
                                    cudaGetErrorName(code), cudaGetErrorString(code)));
}

}  // namespace agpusim
