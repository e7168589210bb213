#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "agpusim/ptx/run/device.hpp"

namespace agpusim {

/// Names a function template of cuda/run_kernel.cuh by its arguments.
template <class Kernel, bool one_warp, class... Arguments>
struct KernelSymbol {};

namespace ptx {

/// An array in the memory of a KernelDevice, which outlives it; a handle, cheap to copy.
template <class T>
class KernelArray {
 public:
  using value_type = T;
  [[nodiscard]] std::int64_t size() const { return size_; }

 private:
  friend class KernelDevice;
  KernelArray(std::shared_ptr<void> data, std::int64_t size)
      : data_(std::move(data)), size_(size) {}
  std::shared_ptr<void> data_;
  std::int64_t size_;
};

/// The device of a host program whose kernels nvcc has compiled to PTX: what SimulatedDevice is to
/// their source. A task is a CTA of V threads.
class KernelDevice {
 public:
  /// `kernels`: the PTX of the program's CUDA half. Throws UsageError as Device does.
  KernelDevice(const AgpuSpec& spec, std::shared_ptr<const Module> kernels, Options options = {});

  template <class T>
  using Array = KernelArray<T>;

  [[nodiscard]] const AgpuSpec& spec() const { return spec_; }

  template <class T>
  [[nodiscard]] KernelArray<T> allocate(std::int64_t size, std::string name) {
    return {allocate_bytes(static_cast<std::size_t>(size) * sizeof(T), std::move(name)), size};
  }
  template <class T>
  void upload(const KernelArray<T>& array, std::span<const T> values) {
    copy_in(array.data_.get(), values.data(), values.size_bytes());
  }
  template <class T, class Make>
  requires std::invocable<Make>
  void upload(const KernelArray<T>& array, Make make) {
    upload<T>(array, std::span<const T>(make()));
  }
  template <class T>
  [[nodiscard]] std::vector<T> download(const KernelArray<T>& array) {
    const T* const data = static_cast<const T*>(array.data_.get());
    return {data, data + array.size()};
  }

  /// One phase. Throws UsageError where the PTX has no such kernel, RuleViolation for a finding.
  template <class Kernel, class... Args>
  void launch(std::int64_t tasks, const Kernel& kernel, const Args&... args) {
    std::int32_t shared_bytes = 0;
    if constexpr (requires { kernel.shared_bytes(); }) {
      shared_bytes = static_cast<std::int32_t>(kernel.shared_bytes() + 15) & ~15;
    }
    std::vector<std::byte> parameters;
    append(parameters, kernel);
    append(parameters, std::int64_t{0});
    append(parameters, tasks);
    append(parameters, shared_bytes);
    (append(parameters, argument(args)), ...);
    const std::type_info& symbol =
        spec_.width == static_cast<std::int32_t>(warp_lanes)
            ? typeid(KernelSymbol<Kernel, true, decltype(argument(args))...>)
            : typeid(KernelSymbol<Kernel, false, decltype(argument(args))...>);
    run(Kernel::name, symbol, tasks, shared_bytes, parameters);
  }

  /// The bill so far.
  [[nodiscard]] RunReport report() const { return device_.report(); }

 private:
  template <class T>
  static T* argument(const KernelArray<T>& array) {
    return static_cast<T*>(array.data_.get());
  }
  template <class T>
  static T argument(const T& value) {
    return value;
  }
  template <class T>
  static void append(std::vector<std::byte>& parameters, const T& value) {
    const std::size_t begin = (parameters.size() + alignof(T) - 1) / alignof(T) * alignof(T);
    parameters.resize(begin + sizeof(T));
    std::memcpy(parameters.data() + begin, &value, sizeof(T));
  }

  std::shared_ptr<void> allocate_bytes(std::size_t bytes, std::string name);
  void copy_in(void* to, const void* from, std::size_t bytes);
  void run(std::string_view name, const std::type_info& symbol, std::int64_t tasks,
           std::int32_t shared_bytes, std::span<const std::byte> parameters);

  AgpuSpec spec_;
  std::shared_ptr<const Module> kernels_;
  Device device_;
  std::map<std::string, std::shared_ptr<const Program>> programs_;
};

}  // namespace ptx
}  // namespace agpusim
