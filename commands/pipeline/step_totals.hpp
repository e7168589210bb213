#pragma once

#include <vector>

#include "agpusim/commands/pipeline/plan.hpp"

namespace agpusim::out_of_core::detail {

/// Adds up the counts of the steps of a program.
class StepTotals {
 public:
  /// `spec` and `clock` must be there as long as this.
  StepTotals(const AgpuSpec& spec, const KernelClock& clock) : spec_(spec), clock_(clock) {}

  /// The clock, which adds every step that it is asked for; valid as long as this. Throws
  /// UsageError for a kernel with more shared memory than a multiprocessor has.
  [[nodiscard]] KernelClock clock() {
    return [this](const KernelWork& work) { return add(work); };
  }
  [[nodiscard]] const std::vector<StepTotal>& steps() const { return steps_; }

 private:
  double add(const KernelWork& work);

  const AgpuSpec& spec_;
  const KernelClock& clock_;
  std::vector<StepTotal> steps_;
};

}  // namespace agpusim::out_of_core::detail
