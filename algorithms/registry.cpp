#include "agpusim/algorithms/registry.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/simulate.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

std::vector<std::string> names(const std::vector<Algorithm>& algorithms) {
  std::vector<std::string> result;
  for (const Algorithm& algorithm : algorithms) result.push_back(algorithm.name);
  return result;
}

/// `value`, or the first of `known` when it is empty; throws UsageError when it is not among them.
std::string choose(const Algorithm& algorithm, const char* what,
                   const std::vector<std::string>& known, const std::string& value) {
  if (value.empty()) return known.empty() ? "" : known.front();
  if (std::find(known.begin(), known.end(), value) != known.end()) return value;
  if (known.empty()) {
    throw UsageError(fmt::format("{} has no {}; leave '{}' out", algorithm.name, what, value));
  }
  throw UsageError(fmt::format("{} has no {} '{}': known are {}", algorithm.name, what, value,
                               fmt::join(known, ", ")));
}

/// The counts of a run as a form: derived from one task of each class, else simulated.
std::vector<PhaseForm> counted_form(const Algorithm& algorithm, const RunConfig& config) {
  const auto derived = derive(algorithm, config);
  const RunReport report = derived ? *derived : algorithm.simulate(config, {}).report;
  std::vector<PhaseForm> forms;
  for (const PhaseReport& phase : report.phases) {
    forms.push_back({phase.kernel, phase.tasks, phase.shared_words, phase.counts, phase.time,
                     phase.max_task_time, phase.contention, phase.atomic_blocks});
  }
  return forms;
}

Algorithm with_defaults(Algorithm row) {
  if (!row.simulate) {
    row.simulate = [program = row.program, reference = row.reference](
                       const RunConfig& config, const SimulationOptions& options) {
      return agpusim::simulate(program, reference, config, options);
    };
  }
  if (row.types.empty()) row.types = {"u32"};
  if (row.inputs.empty()) row.inputs = input_kinds();
  for (std::string* const bound : {&row.bound_time, &row.bound_io}) {
    if (bound->empty()) *bound = "none known";
  }
  if (row.summary.empty()) row.summary = "no summary";
  if (row.source.empty()) row.source = "no source";
  if (!row.check) row.check = [](const RunConfig&) {};
  if (!row.lower_bound) {
    row.lower_bound = [](const RunConfig&) { return LowerBound{0, 0, "none known"}; };
  }
  if (!row.closed_form) {
    row.closed_form = [counted = row](const RunConfig& config) {
      return counted_form(counted, config);
    };
  }
  return row;
}

}  // namespace

void Registry::add(Algorithm algorithm) {
  const auto require = [&](bool present, const char* part) {
    if (!present) {
      throw std::logic_error(fmt::format("algorithm '{}' has no {}", algorithm.name, part));
    }
  };
  require(!algorithm.name.empty(), "name");
  require(algorithm.program || algorithm.simulate, "program");
  require(static_cast<bool>(algorithm.reference), "reference");
  require(find_or_null(algorithm.name) == nullptr, "name of its own: it is registered twice");
  algorithms_.push_back(with_defaults(std::move(algorithm)));
}

const Algorithm* Registry::find_or_null(const std::string& name) const {
  const auto it = std::find_if(algorithms_.begin(), algorithms_.end(),
                               [&](const Algorithm& row) { return row.name == name; });
  return it == algorithms_.end() ? nullptr : &*it;
}

const Algorithm* Registry::row_of_peer(const std::string& name) const {
  const auto it = std::find_if(algorithms_.begin(), algorithms_.end(), [&](const Algorithm& row) {
    return std::find(row.peers.begin(), row.peers.end(), name) != row.peers.end();
  });
  return it == algorithms_.end() ? nullptr : &*it;
}

const Algorithm& Registry::find(const std::string& name) const {
  if (const Algorithm* const row = find_or_null(name)) return *row;
  throw UsageError(fmt::format("unknown algorithm '{}': known are {}", name,
                               fmt::join(names(algorithms_), ", ")));
}

bool takes_even_keys(const Algorithm& algorithm, const RunConfig& config) {
  constexpr std::int64_t largest_looked_at = std::int64_t{1} << 20;
  return algorithm.expected_form && config.n > largest_looked_at;
}

std::vector<PhaseForm> foretold_form(const Algorithm& algorithm, const RunConfig& config) {
  return takes_even_keys(algorithm, config) ? algorithm.expected_form(config)
                                            : algorithm.closed_form(config);
}

RunConfig resolve(const Algorithm& algorithm, RunConfig config) {
  constexpr std::int64_t largest = std::int64_t{1} << 40;
  if (config.n < algorithm.min_n || config.n > largest) {
    throw UsageError(fmt::format("n = {}: {} needs {} to 2^40 elements, for example --n 2^20",
                                 config.n, algorithm.name, algorithm.min_n));
  }
  validate(config.spec);
  config.algorithm = algorithm.name;
  config.variant = choose(algorithm, "variant", algorithm.variants, config.variant);
  config.type = choose(algorithm, "type", algorithm.types, config.type);
  if (!algorithm.given_values || !is_given(config.input)) {
    config.input = choose(algorithm, "input", algorithm.inputs, config.input);
  }
  for (const auto& [name, value] : config.parameters) {
    const auto known = std::find_if(algorithm.parameters.begin(), algorithm.parameters.end(),
                                    [&name = name](const Parameter& p) { return p.name == name; });
    if (known == algorithm.parameters.end()) {
      std::vector<std::string> all;
      for (const Parameter& parameter : algorithm.parameters) all.push_back(parameter.name);
      throw UsageError(fmt::format("{} has no parameter '{}': known are {}", algorithm.name, name,
                                   fmt::join(all, ", ")));
    }
    if (value < known->least) {
      throw UsageError(fmt::format("{} = {}: must be at least {}", name, value, known->least));
    }
  }
  for (const Parameter& parameter : algorithm.parameters) {
    if (!config.parameters.contains(parameter.name)) {
      config.parameters[parameter.name] = parameter.default_value(config);
    }
  }
  algorithm.check(config);
  return config;
}

RunConfig reference_run(const Registry& registry, const RunConfig& config) {
  const Algorithm* const row = registry.row_of_peer(config.algorithm);
  return row == nullptr ? config : resolve(*row, config);
}

}  // namespace agpusim
