#include "agpusim/commands/analyze/evaluate.hpp"

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

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

}  // namespace

const Algorithm& row_of(const Registry& registry, const RunConfig& config) {
  const Algorithm* const row = registry.find_or_null(config.algorithm);
  if (row == nullptr) {
    throw UnusableRecord(fmt::format("this agpusim has no algorithm '{}'", config.algorithm));
  }
  RunConfig resolved;
  try {
    resolved = resolve(*row, config);
  } catch (const UsageError& error) {
    throw UnusableRecord(fmt::format("{} cannot run: {}", config.algorithm, error.what()));
  }
  if (resolved != config) {
    throw UnusableRecord(fmt::format("{}: field '{}' is not what this agpusim would run",
                                     config.algorithm, changed_field(config, resolved)));
  }
  return *row;
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
