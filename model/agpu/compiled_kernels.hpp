#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "agpusim/model/agpu/report.hpp"
#include "agpusim/model/agpu/task_runs.hpp"

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

/// One phase of kernels as a compiler made them.
struct CompiledLaunch {
  std::string_view name;
  const std::type_info& symbol;  ///< the KernelSymbol
  std::int64_t tasks;
  std::int32_t shared_bytes;
  std::vector<std::byte> parameters;
  KernelCost cost;     ///< which tasks cost the same
  std::int32_t parts;  ///< elements of an array that share a word
};

/// Kernels as a compiler made them, with the memory that they work on: what a SimulatedDevice
/// launches instead of their source. A task is a CTA of V threads.
class CompiledKernels {
 public:
  /// Lanes of a warp; a task of so many is compiled as one.
  static constexpr std::int32_t warp_lanes = 32;

  virtual ~CompiledKernels() = default;

  /// Memory of the kernels, which outlive it; it is released with the last copy of the pointer.
  [[nodiscard]] virtual std::shared_ptr<void> allocate(std::size_t bytes, std::string name) = 0;
  /// Whether one task of each class runs for all, on arrays that hold nothing.
  [[nodiscard]] virtual bool derives() const = 0;
  /// Copies from the host.
  virtual void copy_in(void* to, const void* from, std::size_t bytes) = 0;
  /// Throws UsageError where there is no such kernel, RuleViolation for a finding, DependsOnData
  /// where it derives and tasks may differ.
  virtual void run(const CompiledLaunch& launch) = 0;
  /// The bill so far.
  [[nodiscard]] virtual RunReport report() const = 0;
};

}  // namespace agpusim
