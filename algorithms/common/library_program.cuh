#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/registry.hpp"
#include "agpusim/cuda/stream.cuh"

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

/// One function of a library on the elements of a run: function(temporary, bytes, in, out, n).
template <class T, class Function>
class LibraryCall : public LibraryProgram<T, T> {
 public:
  LibraryCall(const RunConfig& config, std::int64_t outputs, Function function)
      : LibraryProgram<T, T>(generate<T>(config.input, config.n, config.seed),
                             static_cast<std::size_t>(outputs)),
        function_(std::move(function)) {
    this->prepare(bound());
  }
  void run() override { this->call(bound()); }
  std::uint64_t checksum() override { return agpusim::checksum(this->result()); }

 private:
  [[nodiscard]] auto bound() {
    return [this](void* temporary, std::size_t& bytes) {
      return function_(temporary, bytes, this->in(), this->out(), this->size());
    };
  }

  Function function_;
};

/// A function that works in place, on `out`: before every run it is a copy of `in`.
template <class T, class Function>
class InPlaceLibraryCall : public LibraryCall<T, Function> {
 public:
  InPlaceLibraryCall(const RunConfig& config, Function function)
      : LibraryCall<T, Function>(config, config.n, std::move(function)) {
    copy();
  }
  void reset() override { copy(); }

 private:
  void copy() {
    AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(this->out(), this->in(),
                                       static_cast<std::size_t>(this->size()) * sizeof(T),
                                       cudaMemcpyDeviceToDevice, cuda_stream()));
  }
};

/// The program of a call from `in` to `outputs` elements of `out`.
template <class T, class Function>
[[nodiscard]] std::unique_ptr<CudaProgram> library_call(const RunConfig& config,
                                                        std::int64_t outputs, Function function) {
  return std::make_unique<LibraryCall<T, Function>>(config, outputs, std::move(function));
}

/// The program of a call that works in place; what is timed does not copy.
template <class T, class Function>
[[nodiscard]] std::unique_ptr<CudaProgram> in_place_library_call(const RunConfig& config,
                                                                 Function function) {
  return std::make_unique<InPlaceLibraryCall<T, Function>>(config, std::move(function));
}

/// f(n) with n of 32 bits where it fits: that spares a library's kernels 64-bit index arithmetic.
template <class F>
auto with_small_size(std::int64_t n, F f) {
  return n <= std::numeric_limits<std::int32_t>::max() ? f(static_cast<std::int32_t>(n)) : f(n);
}

}  // namespace agpusim
