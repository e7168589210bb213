#include "agpusim/model/transfer/simulated_streams.hpp"

namespace agpusim::out_of_core {

std::vector<PhaseForm> forms_of(std::span<const PhaseReport> phases) {
  std::vector<PhaseForm> forms;
  forms.reserve(phases.size());
  for (const PhaseReport& phase : phases) {
    forms.push_back({phase.kernel, phase.tasks, phase.shared_words, phase.counts, phase.time,
                     phase.max_task_time, phase.contention, phase.atomic_blocks});
  }
  return forms;
}

}  // namespace agpusim::out_of_core
