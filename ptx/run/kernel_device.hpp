#pragma once

#include <map>
#include <memory>
#include <string>

#include "agpusim/model/agpu/compiled_kernels.hpp"
#include "agpusim/ptx/run/device.hpp"

namespace agpusim::ptx {

/// Kernels that nvcc has compiled to PTX, for the host programs of a SimulatedDevice.
class KernelDevice : public CompiledKernels {
 public:
  /// `kernels`: the PTX of the program's CUDA half. Throws UsageError as Device does.
  KernelDevice(const AgpuSpec& spec, std::shared_ptr<const Module> kernels, Options options = {});

  std::shared_ptr<void> allocate(std::size_t bytes, std::string name) override;
  void copy_in(void* to, const void* from, std::size_t bytes) override;
  void run(std::string_view name, const std::type_info& symbol, std::int64_t tasks,
           std::int32_t shared_bytes, std::span<const std::byte> parameters) override;
  [[nodiscard]] RunReport report() const override { return device_.report(); }

 private:
  AgpuSpec spec_;
  std::shared_ptr<const Module> kernels_;
  Device device_;
  std::map<std::string, std::shared_ptr<const Program>> programs_;
};

}  // namespace agpusim::ptx
