#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/model/agpu/phase_bill.hpp"
#include "agpusim/ptx/run/launch.hpp"

namespace agpusim::ptx {

/// Where variables lie, by their names.
using Addresses = std::map<std::string, Address, std::less<>>;

/// A device that runs PTX: the abstract machine with the memory of a CUDA device.
class Device {
 public:
  /// Throws UsageError for a machine that cannot exist, whose words have not 32 bits, or whose b is
  /// neither 32 nor divides it.
  explicit Device(const AgpuSpec& spec, Options options = {});

  [[nodiscard]] Memory& memory() { return memory_; }
  /// Null where no caches are simulated.
  [[nodiscard]] Caches* caches() { return caches_ ? &*caches_ : nullptr; }
  /// Gives all variables their first values again.
  void reset();
  /// The address of a variable of the module, in memory from then on. Throws UsageError where the
  /// module has none of this name.
  [[nodiscard]] Address address_of(const std::shared_ptr<const Module>& module,
                                   std::string_view variable);

  /// Runs one kernel. Throws UsageError for a launch that no device takes. A defect of the kernel
  /// is a finding of the report.
  LaunchReport launch(const Launch& launch);

  /// The bill so far.
  [[nodiscard]] RunReport report() const;

 private:
  void load(const std::shared_ptr<const Module>& module);
  /// The barrier of the next cooperative launch, cleared.
  [[nodiscard]] Address grid_barrier();
  /// Threads of the host that run this launch.
  [[nodiscard]] int threads_for(const Program& program, std::int64_t tasks) const;
  void find_targets(const LaunchPlan& plan);
  void require_possible(const Launch& launch, std::uint32_t shared_bytes) const;

  AgpuSpec spec_;
  Options options_;
  Memory memory_;
  std::optional<Caches> caches_;
  PhaseBill bill_;
  RunReport report_;
  Address grid_barrier_ = 0;
  std::map<const Program*, std::int64_t> work_;  // instructions of a CTA in its last launch
  std::map<std::shared_ptr<const Module>, Addresses> variables_;
};

}  // namespace agpusim::ptx
