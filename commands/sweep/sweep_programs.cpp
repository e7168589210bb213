#include "agpusim/commands/sweep/sweep_programs.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

/// The parameters that a program has by default on the machine with most cores, for all machines
/// that have its b, M, w and V: what is left to differ is who runs the tasks.
void give_same_parameters(std::vector<Run>& runs) {
  const auto key = [](const RunConfig& config) {
    return fmt::format("{} {} {} {} {} {} {}", config.algorithm, config.variant, config.n,
                       config.spec.block_words, config.spec.shared_words, config.spec.word_bits,
                       config.spec.width);
  };
  std::map<std::string, const RunConfig*> most;
  for (const Run& run : runs) {
    if (run.on_pram() || !run.refusal.empty()) continue;
    const RunConfig*& best = most[run.program + key(run.config)];
    if (best == nullptr || best->spec.cores < run.config.spec.cores) best = &run.config;
  }
  std::vector<std::map<std::string, std::int64_t>> parameters;
  for (const Run& run : runs) {
    const auto it = most.find(run.program + key(run.config));
    parameters.push_back(it == most.end() ? run.config.parameters : it->second->parameters);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Run& run = runs[i];
    if (run.on_pram() || !run.refusal.empty()) continue;
    run.config.parameters = parameters[i];
    run = resolved(run);
  }
}

}  // namespace

std::vector<Run> sweep_runs(const Selection& selection, bool same_program) {
  std::vector<Run> runs = runs_of(catalog(), selection);
  if (same_program) give_same_parameters(runs);
  const auto prams = std::stable_partition(runs.begin(), runs.end(),
                                           [](const Run& run) { return !run.on_pram(); });
  // A type or an input that no program has is a wrong word, not a point that is left out.
  for (const auto& [first, last] : {std::pair{runs.begin(), prams}, std::pair{prams, runs.end()}}) {
    if (first != last &&
        std::all_of(first, last, [](const Run& run) { return !run.refusal.empty(); })) {
      throw UsageError(first->program + ": " + first->refusal);
    }
  }
  return runs;
}

}  // namespace agpusim
