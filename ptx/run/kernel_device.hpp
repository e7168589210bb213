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
  KernelDevice(const AgpuSpec& spec, std::shared_ptr<const Module> kernels, Options options = {},
               bool derives = false);

  std::shared_ptr<void> allocate(std::size_t bytes, std::string name) override;
  [[nodiscard]] bool derives() const override { return derives_; }
  void copy_in(void* to, const void* from, std::size_t bytes) override;
  void run(const CompiledLaunch& phase) override;
  [[nodiscard]] RunReport report() const override;

 private:
  PhaseReport launch(const Launch& launch);
  /// A phase from one task of each class.
  [[nodiscard]] PhaseReport derive(const CompiledLaunch& phase, Launch launch);

  AgpuSpec spec_;
  std::shared_ptr<const Module> kernels_;
  Device device_;
  bool derives_;
  PhaseBill bill_;  // bill of derived phases
  std::vector<PhaseReport> derived_;
  std::map<std::string, std::shared_ptr<const Program>> programs_;
};

}  // namespace agpusim::ptx
