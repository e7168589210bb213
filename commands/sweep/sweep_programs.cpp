#include "agpusim/commands/sweep/sweep_programs.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "agpusim/cli/assignments.hpp"
#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/compare_contestants.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/suggest.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

/// A program on a PRAM, as the command line names it.
struct PramProgram {
  std::string label;
  const Algorithm* row = nullptr;
  std::string variant;
  std::map<std::string, std::int64_t> parameters;
};

PramProgram parse_pram_program(const std::string& text, const Settings& set) {
  const std::vector<std::string> parts = list_items(text.substr(std::string(on_pram).size()));
  const std::size_t colon = std::min(parts[0].find(':'), parts[0].size());
  PramProgram program;
  program.row = &find_pram_algorithm(parts[0].substr(0, colon));
  const PramSide& side = *program.row->pram;
  program.variant =
      colon < parts[0].size() ? parts[0].substr(colon + 1) : side.variants.front().name;
  static_cast<void>(find_variant(program.row->name, side, program.variant));
  const std::vector<SettableParameter> known = settable(side);
  program.label = on_pram + program.row->name + ":" + program.variant;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto [name, value] = parse_assignment(parts[i]);
    program.parameters[name] = value;
    program.label += fmt::format(",{}={}", name, value);
  }
  program.parameters.merge(known_of(set, known));
  require_settable(program.row->name, known, program.parameters);
  return program;
}

Run pram_run(const PramProgram& program, const SweepOptions& options, std::int64_t n) {
  RunConfig config = run_on_pram();
  config.algorithm = program.row->name;
  config.variant = program.variant;
  config.n = n;
  config.input = options.input;
  config.seed = options.seed;
  config.pram->seed = options.seed;
  config.parameters = program.parameters;
  return resolved(*program.row, config, program.label);
}

Run agpu_run(const contest::Contestant& program, const SweepOptions& options,
             const contest::ComparedMachine& machine, std::int64_t n) {
  const Algorithm& row = find_algorithm(program.algorithm);
  RunConfig config;
  config.algorithm = row.name;
  config.variant = program.variant;
  config.type = options.type;
  config.n = n;
  config.input = options.input;
  config.seed = options.seed;
  config.spec = machine.spec;
  config.parameters = program.parameters;
  return resolved(row, config, program.label, machine.constants ? &*machine.constants : nullptr);
}

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
    run = resolved(*run.algorithm, run.config, run.program, run.device);
  }
}

}  // namespace

std::vector<Run> sweep_runs(const SweepOptions& options,
                            const std::vector<contest::ComparedMachine>& machines) {
  if (options.n.empty()) {
    throw UsageError("--n is required, for example --n 2^10..2^26 (see `agpusim help sizes`)");
  }
  std::vector<std::string> agpu;
  std::vector<PramProgram> pram;
  for (const std::string& text : spelled_out(options.programs)) {
    const std::string name = text.substr(0, text.find_first_of(":,"));
    if (text.starts_with(on_pram)) {
      pram.push_back(parse_pram_program(text, options.set));
    } else if (catalog().find_or_null(name) == nullptr &&
               catalog().find_on_pram_or_null(name) != nullptr) {
      pram.push_back(parse_pram_program(on_pram + text, options.set));
    } else {
      agpu.push_back(text);
    }
  }
  // An assignment that only a program on a PRAM takes is none of the others.
  Settings set = options.set;
  std::erase_if(set, [&](const auto& setting) {
    const Settings one = {setting};
    return std::any_of(pram.begin(), pram.end(),
                       [&](const PramProgram& p) {
                         return !known_of(one, settable(*p.row->pram)).empty();
                       }) &&
           std::none_of(agpu.begin(), agpu.end(), [&](const std::string& text) {
             const Algorithm& row = find_algorithm(text.substr(0, text.find_first_of(":,")));
             return !known_of(one, settable(row)).empty();
           });
  });
  std::vector<Run> runs;
  for (const contest::Contestant& program : parse_contestants(agpu, set, {})) {
    for (const contest::ComparedMachine& machine : machines) {
      if (!machine.refusal.empty()) continue;
      for (const std::int64_t n : options.n) {
        runs.push_back(agpu_run(program, options, machine, n));
      }
    }
  }
  if (options.same_program) give_same_parameters(runs);
  std::vector<Run> on_prams;
  for (const PramProgram& program : pram) {
    for (const std::int64_t n : options.n) on_prams.push_back(pram_run(program, options, n));
  }
  // A type or an input that no program has is a wrong word, not a point that is left out.
  for (const std::vector<Run>& all : {runs, on_prams}) {
    const auto refused = [](const Run& run) { return !run.refusal.empty(); };
    if (!all.empty() && std::all_of(all.begin(), all.end(), refused)) {
      throw UsageError(all.front().program + ": " + all.front().refusal);
    }
  }
  runs.insert(runs.end(), on_prams.begin(), on_prams.end());
  return runs;
}

}  // namespace agpusim
