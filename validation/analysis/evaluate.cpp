#include "agpusim/validation/analysis/evaluate.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/analysis/check_closed_form.hpp"

namespace agpusim::detail {
namespace {

/// The first field in which a record differs from the run that it resolves to.
std::string changed_field(const RunConfig& recorded, const RunConfig& resolved) {
  if (recorded.algorithm != resolved.algorithm) return "algorithm";
  if (recorded.variant != resolved.variant) return "variant";
  if (recorded.type != resolved.type) return "type";
  if (recorded.n != resolved.n) return "n";
  if (recorded.input != resolved.input) return "input";
  if (recorded.seed != resolved.seed) return "seed";
  if (recorded.spec != resolved.spec) return "machine";
  return "parameters";
}

RunConfig resolve_recorded(const Algorithm& algorithm, const RunConfig& config,
                           const std::string& origin) {
  try {
    return resolve(algorithm, config);
  } catch (const UsageError& error) {
    throw FileError(fmt::format("{}: {} with n = {} cannot run: {}; measure again", origin,
                                config.algorithm, config.n, error.what()));
  }
}

std::int64_t time_of(const std::vector<PhaseForm>& forms, const AgpuSpec& spec) {
  const std::int64_t k = spec.multiprocessors();
  std::int64_t sum = 0;
  for (const PhaseForm& form : forms) {
    sum += form.time.value_or((form.tasks + k - 1) / k * form.max_task_time);
  }
  return sum;
}

}  // namespace

Outline outline(const Registry& registry, const RunConfig& config, const std::string& origin) {
  const Algorithm* const row = registry.find_or_null(config.algorithm);
  if (row == nullptr) {
    throw FileError(
        fmt::format("{}: this agpusim has no algorithm '{}'; remove the record or update "
                    "agpusim",
                    origin, config.algorithm));
  }
  const RunConfig resolved = resolve_recorded(*row, config, origin);
  if (resolved != config) {
    throw FileError(
        fmt::format("{}: {} with n = {}: field '{}' is not what this agpusim would run; "
                    "measure again",
                    origin, config.algorithm, config.n, changed_field(config, resolved)));
  }
  Outline result{row, foretold_form(*row, config), 0};
  for (const PhaseForm& form : result.forms) {
    result.lane_operations +=
        static_cast<double>(form.counts.instructions()) * config.spec.block_words;
  }
  return result;
}

Evaluation evaluate(const RunConfig& config, const Outline& outline,
                    const AnalysisOptions& options) {
  Evaluation evaluation;
  evaluation.algorithm = outline.algorithm;
  if (outline.lane_operations <= static_cast<double>(options.simulate_limit)) {
    SimulationOptions simulation;
    simulation.threads = options.threads;
    const RunResult result = outline.algorithm->simulate(config, simulation);
    if (!result.correct) {
      throw Mismatch(
          fmt::format("{} with n = {} on {}: the simulated result differs from the "
                      "reference; this is a defect of agpusim",
                      config.algorithm, config.n, config.spec.to_string()));
    }
    evaluation.phases = forms_of(result.report);
    evaluation.time = result.report.time();
    evaluation.simulated = true;
    evaluation.differences =
        compare_with_closed_form(result.report, outline.algorithm->closed_form(config));
    evaluation.checksum = result.checksum;
    evaluation.checksum_source = ChecksumSource::simulation;
    return evaluation;
  }
  evaluation.phases = outline.forms;
  evaluation.time = time_of(outline.forms, config.spec);
  if (options.verify_all) {
    evaluation.checksum = outline.algorithm->reference(config);
    evaluation.checksum_source = ChecksumSource::reference;
  }
  return evaluation;
}

std::string unusual_parameters(const Algorithm& algorithm, const RunConfig& config) {
  RunConfig usual = config;
  usual.parameters.clear();
  try {
    usual = resolve(algorithm, usual);
  } catch (const UsageError&) {
    // The defaults do not fit this machine: every parameter was chosen.
    usual.parameters.clear();
  }
  std::string text;
  for (const auto& [name, value] : config.parameters) {
    const auto it = usual.parameters.find(name);
    if (it == usual.parameters.end() || it->second != value)
      text += fmt::format(", {}={}", name, value);
  }
  return text;
}

}  // namespace agpusim::detail
