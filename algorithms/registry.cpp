#include "agpusim/algorithms/registry.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/common/citation.hpp"
#include "agpusim/algorithms/common/given_values.hpp"
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

}  // namespace

void Registry::add(Algorithm algorithm) {
  if (algorithm.program && !algorithm.simulate) {
    algorithm.simulate = [program = algorithm.program, reference = algorithm.reference](
                             const RunConfig& config, const SimulationOptions& options) {
      return agpusim::simulate(program, reference, config, options);
    };
  }
  const auto require = [&](bool present, const char* part) {
    if (!present) {
      throw std::logic_error(fmt::format("algorithm '{}' has no {}", algorithm.name, part));
    }
  };
  require(!algorithm.name.empty(), "name");
  require(!algorithm.summary.empty(), "summary");
  require(!algorithm.source.empty(), "source");
  require(!algorithm.bound_time.empty() && !algorithm.bound_io.empty(), "bound");
  require(!algorithm.types.empty(), "type");
  require(!algorithm.inputs.empty(), "input");
  require(static_cast<bool>(algorithm.check), "check");
  require(static_cast<bool>(algorithm.simulate), "simulation");
  require(static_cast<bool>(algorithm.reference), "reference");
  require(static_cast<bool>(algorithm.closed_form), "closed form");
  require(static_cast<bool>(algorithm.lower_bound), "lower bound");
  for (const Algorithm& other : algorithms_) {
    require(other.name != algorithm.name, "name of its own: it is registered twice");
  }
  algorithm.source = printed_source(std::move(algorithm.source));
  algorithms_.push_back(std::move(algorithm));
}

const Algorithm& Registry::find(const std::string& name) const {
  for (const Algorithm& algorithm : algorithms_) {
    if (algorithm.name == name) return algorithm;
  }
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

}  // namespace agpusim
