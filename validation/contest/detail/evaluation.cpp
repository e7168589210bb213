#include "agpusim/validation/contest/detail/evaluation.hpp"

#include <functional>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/analysis/check_closed_form.hpp"
#include "agpusim/validation/predict/predict.hpp"
#include "agpusim/validation/report/text_table.hpp"

namespace agpusim::comparison::detail {
namespace {

/// What a form says. A row whose counts depend on the keys makes them.
std::vector<PhaseForm> phases_of(
    const std::function<std::vector<PhaseForm>(const RunConfig&)>& form, const RunConfig& config) {
  const auto refuse = [&] {
    throw UsageError(
        fmt::format("n = {}: this host has not enough memory for the input, which the "
                    "counts depend on; choose a smaller --n",
                    agpusim::detail::size_text(config.n)));
  };
  try {
    return form(config);
  } catch (const std::bad_alloc&) {
    refuse();
  } catch (const std::length_error&) {
    refuse();
  }
  return {};
}

Cost cost_of(const std::vector<PhaseForm>& phases) {
  Cost cost;
  cost.time = 0;
  cost.phases = static_cast<std::int64_t>(phases.size());
  for (const PhaseForm& phase : phases) {
    if (cost.time && phase.time) {
      *cost.time += *phase.time;
    } else {
      cost.time.reset();
    }
    cost.io += phase.counts.io();
    cost.instructions += phase.counts.instructions();
    cost.wavefronts += phase.counts.wavefronts();
  }
  return cost;
}

RunResult simulate(const Algorithm& algorithm, const RunConfig& config, const Options& options,
                   const TimingRecord* measured) {
  if (options.require_memory) options.require_memory(config);
  SimulationOptions simulation;
  simulation.threads = options.threads;
  RunResult result = algorithm.simulate(config, simulation);
  if (result.correct && measured != nullptr && measured->checksum != result.checksum) {
    throw FileError(fmt::format(
        "{}: {} with n = {}: field 'checksum' is {:016x}, the result of this run has {:016x}; "
        "measure again",
        measured->origin, config.algorithm, config.n, measured->checksum, result.checksum));
  }
  return result;
}

/// Why the device cannot run these phases; empty when it can.
std::string misfit(const RunConfig& config, const std::vector<PhaseForm>& phases,
                   const DeviceFile& device) {
  constexpr std::int64_t reserved_bytes = 1024;  // shared memory the CUDA runtime keeps of each CTA
  if (phases.empty()) return "it launches nothing";
  const auto limit = static_cast<std::int64_t>(device.value("shared_bytes_per_multiprocessor"));
  for (const PhaseForm& phase : phases) {
    const std::int64_t bytes = phase.shared_words * config.spec.word_bits / 8 + reserved_bytes;
    if (bytes > limit) {
      return fmt::format(
          "a task of {} needs {} bytes of shared memory, a multiprocessor of {} has {}",
          phase.kernel, agpusim::detail::integer_text(bytes), device.name,
          agpusim::detail::integer_text(limit));
    }
  }
  return {};
}

void add_prediction(Entry& entry, const std::vector<PhaseForm>& phases, const DeviceFile& device) {
  try {
    entry.why_not_predicted = misfit(entry.config, phases, device);
    if (!entry.why_not_predicted.empty()) return;
    const Prediction prediction = predict(entry.config, phases, device);
    entry.predicted_ms = prediction.milliseconds;
    entry.limit = prediction.limit;
  } catch (const FileError& error) {
    // A device that is known from data sheets only lacks constants of the prediction.
    entry.why_not_predicted = error.what();
  }
}

}  // namespace

void evaluate(Entry& entry, const Algorithm& algorithm, const ComparedMachine& machine,
              const Options& options, const TimingRecord* measured) {
  const RunConfig& config = entry.config;
  std::vector<PhaseForm> phases;
  std::vector<std::string> differences;
  CountSource source = CountSource::closed_form;
  if (options.simulate) {
    source = CountSource::simulation;
    const RunResult result = simulate(algorithm, config, options, measured);
    if (!result.correct) differences.emplace_back("the result differs from that of the reference");
    for (std::string& difference :
         compare_with_closed_form(result.report, phases_of(algorithm.closed_form, config))) {
      differences.push_back(std::move(difference));
    }
    phases = forms_of(result.report);
  } else if (takes_even_keys(algorithm, config)) {
    source = CountSource::even_keys;
    phases = phases_of(algorithm.expected_form, config);
  } else {
    phases = phases_of(algorithm.closed_form, config);
  }
  Cost cost = cost_of(phases);
  cost.bound = algorithm.lower_bound(config);
  cost.source = source;
  cost.differences = std::move(differences);
  entry.cost = std::move(cost);
  if (machine.constants) add_prediction(entry, phases, *machine.constants);
}

}  // namespace agpusim::comparison::detail
