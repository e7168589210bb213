#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/validation/cuda_registry.hpp"

namespace agpusim {

/// A library's device-wide functions from an array `in` to an array `out`. Such a function is
/// called twice, as f(temporary, bytes): without temporary memory it only says how much it needs.
template <class In, class Out>
class LibraryProgram : public CudaProgram {
 public:
  LibraryProgram(const std::vector<In>& input, std::size_t outputs)
      : size_(static_cast<std::int64_t>(input.size())),
        in_(input.size() * sizeof(In), "in"),
        out_(outputs * sizeof(Out), "out") {
    in_.upload(input.data(), cuda_stream());
  }
  void reset() override {
    constexpr int poison = 0xa5;
    AGPUSIM_CUDA_CHECK(cudaMemsetAsync(out_.data(), poison, out_.bytes(), cuda_stream()));
  }

 protected:
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] const In* in() const { return static_cast<const In*>(in_.data()); }
  [[nodiscard]] Out* out() const { return static_cast<Out*>(out_.data()); }
  [[nodiscard]] std::vector<Out> result() const {
    std::vector<Out> values(out_.bytes() / sizeof(Out));
    out_.download(values.data(), cuda_stream());
    return values;
  }

  /// Provides the temporary memory of a call; before anything is timed.
  template <class Function>
  void prepare(const Function& function) {
    std::size_t bytes = 0;
    AGPUSIM_CUDA_CHECK(function(nullptr, bytes));
    if (temporary_ == nullptr || temporary_->bytes() < bytes) {
      temporary_ = std::make_unique<DeviceBuffer>(std::max<std::size_t>(bytes, 1), "temporary");
    }
  }
  template <class Function>
  void call(const Function& function) {
    std::size_t bytes = temporary_->bytes();
    AGPUSIM_CUDA_CHECK(function(temporary_->data(), bytes));
  }

 private:
  std::int64_t size_;
  DeviceBuffer in_;
  DeviceBuffer out_;
  std::unique_ptr<DeviceBuffer> temporary_;
};

}  // namespace agpusim
