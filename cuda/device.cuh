#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/launch.cuh"
#include "agpusim/cuda/launch_shape.cuh"
#include "agpusim/cuda/run_kernel.cuh"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/model/agpu/spec.hpp"

namespace agpusim {

class CudaDevice;

/// An array in the memory of a CudaDevice; a handle, cheap to copy.
template <class T>
class CudaArray {
 public:
  using value_type = T;
  /// The first `size` elements of a buffer.
  CudaArray(std::shared_ptr<DeviceBuffer> buffer, std::int64_t size)
      : buffer_(std::move(buffer)), size_(size) {}

  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] const std::string& name() const { return buffer_->name(); }
  /// In device memory.
  [[nodiscard]] T* data() const { return static_cast<T*>(buffer_->data()); }

 private:
  friend class CudaDevice;
  std::shared_ptr<DeviceBuffer> buffer_;
  std::int64_t size_;
};

/// The CUDA device that stands for AGPU(p,b,M,w): what SimulatedDevice is to the abstract machine.
/// All work goes to cuda_stream(); a failed call throws CudaError.
class CudaDevice {
 public:
  /// Throws UsageError that names the parameter when CUDA has no such multiprocessor: b and w must
  /// be 32, V a multiple of 32 up to 1024, and M words must fit a CTA's shared memory.
  explicit CudaDevice(const AgpuSpec& spec);

  template <class T>
  using Array = CudaArray<T>;

  [[nodiscard]] const AgpuSpec& spec() const { return spec_; }

  /// An array of `size` elements, poisoned. Throws CudaError that names it when there is no room.
  template <class T>
  [[nodiscard]] CudaArray<T> allocate(std::int64_t size, std::string name) {
    return {allocate_buffer(static_cast<std::size_t>(size) * sizeof(T), std::move(name)), size};
  }
  /// Copies all elements of `array` from host memory, pinned or not.
  template <class T>
  void upload(const CudaArray<T>& array, std::span<const T> values) {
    copy_in(array.buffer_, values.data(), values.size_bytes());
  }
  /// Copies what `make()` returns.
  template <class T, class Make>
  requires std::invocable<Make>
  void upload(const CudaArray<T>& array, Make make) {
    upload<T>(array, std::span<const T>(make()));
  }
  template <class T>
  [[nodiscard]] std::vector<T> download(const CudaArray<T>& array) {
    std::vector<T> values(static_cast<std::size_t>(array.size()));
    array.buffer_->download(values.data(), cuda_stream());
    return values;
  }

  /// One phase: enqueues `kernel(mp, views...)` for each of `tasks` tasks; the stream orders
  /// phases. An array argument reaches the kernel as a view, anything else as it is. No task, no
  /// launch. A kernel that uses shared memory has shared_bytes(): its arrays, each rounded up to 8
  /// bytes.
  template <class Kernel, class... Args>
  void launch(std::int64_t tasks, const Kernel& kernel, const Args&... args) {
    if (spec_.width == cuda_warp_lanes) {
      enqueue<Kernel, true>(tasks, kernel, argument(args)...);
    } else {
      enqueue<Kernel, false>(tasks, kernel, argument(args)...);
    }
  }

  /// Remembers the content of every uploaded array.
  void save();
  /// Brings back what save() remembered and poisons all other arrays, in stream order.
  void restore();

 private:
  struct Known {
    std::shared_ptr<DeviceBuffer> buffer;
    bool uploaded;
    std::shared_ptr<DeviceBuffer> copy;  // made by save()
  };

  template <class T>
  static T* argument(const CudaArray<T>& array) {
    return array.data();
  }
  template <class T>
  static T argument(const T& value) {
    return value;
  }
  template <class Kernel>
  static std::int64_t task_bytes_of(const Kernel& kernel) {
    if constexpr (requires { kernel.shared_bytes(); }) {
      // Each of several tasks in a CTA begins where wide accesses may.
      constexpr std::int64_t mask = 16 - 1;
      return (kernel.shared_bytes() + mask) & ~mask;
    } else {
      return 0;
    }
  }

  template <class Kernel, bool one_warp, class... Arguments>
  void enqueue(std::int64_t tasks, const Kernel& kernel, Arguments... arguments) {
    constexpr auto function = run_kernel<Kernel, one_warp, Arguments...>;
    const auto* const key = reinterpret_cast<const void*>(function);
    const std::int64_t task_bytes = task_bytes_of(kernel);
    shapes_.prepare(key, Kernel::name, task_bytes);
    const std::int32_t per_cta = one_warp ? shapes_.warps_per_cta(key, task_bytes, tasks) : 1;
    const std::int64_t most = per_cta * std::int64_t{std::numeric_limits<std::int32_t>::max()};
    for (std::int64_t first = 0; first < tasks; first += most) {
      const std::int64_t end = std::min(tasks, first + most);
      launch_behind(function, (end - first + per_cta - 1) / per_cta,
                    std::int64_t{per_cta} * spec_.width,
                    static_cast<std::size_t>(per_cta * task_bytes), kernel, first, end,
                    static_cast<std::int32_t>(task_bytes), arguments...);
    }
  }

  std::shared_ptr<DeviceBuffer> allocate_buffer(std::size_t bytes, std::string name);
  void copy_in(const std::shared_ptr<DeviceBuffer>& buffer, const void* from, std::size_t bytes);

  AgpuSpec spec_;
  LaunchShapes shapes_;
  std::vector<Known> known_;
};

}  // namespace agpusim
