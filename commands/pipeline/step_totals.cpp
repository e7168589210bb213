#include "agpusim/commands/pipeline/step_totals.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/commands/pipeline/machine.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim::out_of_core::detail {

double StepTotals::add(const KernelWork& work) {
  auto total = std::find_if(steps_.begin(), steps_.end(),
                            [&](const StepTotal& step) { return step.step == work.step; });
  if (total == steps_.end()) {
    total = steps_.insert(total, StepTotal{});
    total->step = work.step;
  }
  ++total->runs;
  total->elements += work.elements;
  total->device_bytes += device_bytes(work);
  for (const PhaseReport& phase : work.phases) {
    if (phase.shared_words > spec_.shared_words) {
      throw UsageError(fmt::format(
          "pipeline: kernel '{}' needs M >= {} words of shared memory with V = {}, the machine has "
          "{}; use a smaller V or a machine with more",
          phase.kernel, phase.shared_words, spec_.width, spec_.shared_words));
    }
    ++total->launches;
    total->time += phase.time;
    total->io += phase.counts.io();
    total->instructions += phase.counts.instructions();
  }
  const double seconds = clock_(work);
  total->seconds += seconds;
  return seconds;
}

}  // namespace agpusim::out_of_core::detail
