#include "agpusim/algorithms/simulate.hpp"

#include "agpusim/model/agpu/device.hpp"

namespace agpusim {

RunResult simulate(const decltype(Algorithm::program)& make,
                   const decltype(Algorithm::reference)& reference,
                   const decltype(Algorithm::expected)& expected, const RunConfig& config,
                   const SimulationOptions& options) {
  SimulatedDevice device(config.spec, options);
  const std::unique_ptr<HostProgram> program = make(device, config);
  program->run();
  RunResult result;
  result.checksum = program->checksum();
  result.checked = static_cast<bool>(reference);
  result.correct = !result.checked || result.checksum == reference(config);
  if (!result.correct && expected) {
    result.differences = differences(program->output(), expected(config));
  }
  result.report = device.report();
  if (options.pricing) check_invariants(result.report);
  result.values = program->values();
  return result;
}

RunResult simulate(const Algorithm& algorithm, const RunConfig& config,
                   const SimulationOptions& options) {
  Registry registry;
  registry.add(algorithm);
  const Algorithm& row = registry.on_agpu().front();
  return row.simulate(resolve(row, config), options);
}

PramRunResult simulate_on_pram(const Algorithm& algorithm, const RunConfig& config,
                               const PramOptions& options) {
  Registry registry;
  registry.add(algorithm.name, algorithm.pram.value());
  const Algorithm& row = registry.on_pram().front();
  return row.pram->run(resolve(row, config, true), options);
}

std::optional<RunReport> derive_counts(const decltype(Algorithm::program)& program,
                                       const RunConfig& config) {
  SimulationOptions options;
  options.threads = 1;
  options.derive = true;
  SimulatedDevice device(config.spec, options);
  try {
    program(device, config)->run();
  } catch (const DependsOnData&) {
    return std::nullopt;
  }
  return device.report();
}

}  // namespace agpusim
