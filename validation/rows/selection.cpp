#include "agpusim/validation/rows/selection.hpp"

#include "agpusim/model/error.hpp"

namespace agpusim {

Run run_of(const Registry& registry, const Selection& selection, const contest::Contestant& chosen,
           const contest::ComparedMachine& machine, std::int64_t n) {
  Run run;
  run.program = chosen.label;
  RunConfig& config = run.config;
  config.algorithm = chosen.algorithm;
  config.variant = chosen.variant;
  config.type = chosen.type.empty() ? selection.type : chosen.type;
  config.n = n;
  config.input = chosen.input.empty() ? selection.input : chosen.input;
  config.seed = selection.seed;
  config.parameters = chosen.parameters;
  config.pram = chosen.pram;
  if (chosen.pram) {
    config.type.clear();
    config.pram->seed = selection.seed;
    run.algorithm = &registry.find_on_pram(chosen.algorithm);
  } else {
    config.spec = machine.spec;
    run.algorithm = registry.find_or_null(chosen.algorithm);
    if (run.algorithm == nullptr) return run;
    run.device = machine.constants ? &*machine.constants : nullptr;
  }
  return resolved(std::move(run), chosen.own_access);
}

std::vector<Run> runs_of(const Registry& registry, const Selection& selection) {
  static const std::vector<contest::ComparedMachine> own(1);
  std::vector<Run> runs;
  for (const contest::Contestant& chosen : selection.contestants) {
    for (const contest::ComparedMachine& machine : chosen.pram ? own : selection.machines) {
      if (!machine.refusal.empty()) continue;
      for (const std::int64_t n : selection.sizes) {
        runs.push_back(run_of(registry, selection, chosen, machine, n));
      }
    }
  }
  return runs;
}

Run run_of(const Registry& registry, const Selection& selection) {
  Run run = runs_of(registry, selection).front();
  if (!run.refusal.empty()) throw UsageError(run.refusal);
  return run;
}

}  // namespace agpusim
