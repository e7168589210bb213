#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "agpusim/model/agpu/report.hpp"

namespace agpusim {

/// Names a function template of cuda/run_kernel.cuh by its arguments.
template <class Kernel, bool one_warp, class... Arguments>
struct KernelSymbol {};

/// The parameters of a kernel as a compiler lays them out: each at a multiple of its alignment.
template <class... Values>
[[nodiscard]] std::vector<std::byte> parameters_of(const Values&... values) {
  std::vector<std::byte> parameters;
  const auto append = [&]<class T>(const T& value) {
    const std::size_t begin = (parameters.size() + alignof(T) - 1) / alignof(T) * alignof(T);
    parameters.resize(begin + sizeof(T));
    std::memcpy(parameters.data() + begin, &value, sizeof(T));
  };
  (append(values), ...);
  return parameters;
}

/// Kernels as a compiler made them, with the memory that they work on: what a SimulatedDevice
/// launches instead of their source. A task is a CTA of V threads.
class CompiledKernels {
 public:
  /// Lanes of a warp; a task of so many is compiled as one.
  static constexpr std::int32_t warp_lanes = 32;

  virtual ~CompiledKernels() = default;

  /// Memory of the kernels, which outlive it; it is released with the last copy of the pointer.
  [[nodiscard]] virtual std::shared_ptr<void> allocate(std::size_t bytes, std::string name) = 0;
  /// Copies from the host.
  virtual void copy_in(void* to, const void* from, std::size_t bytes) = 0;
  /// One phase of the kernel that the KernelSymbol names. Throws UsageError where there is none,
  /// RuleViolation for a finding.
  virtual void run(std::string_view name, const std::type_info& symbol, std::int64_t tasks,
                   std::int32_t shared_bytes, std::span<const std::byte> parameters) = 0;
  /// The bill so far.
  [[nodiscard]] virtual RunReport report() const = 0;
};

}  // namespace agpusim
