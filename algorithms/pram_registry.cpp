#include "agpusim/algorithms/pram_registry.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/common/citation.hpp"
#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

template <class Rows>
std::vector<std::string> names(const Rows& rows) {
  std::vector<std::string> result;
  for (const auto& row : rows) result.push_back(row.name);
  return result;
}

void require(bool present, const PramAlgorithm& algorithm, const std::string& part) {
  if (!present) {
    throw std::logic_error(fmt::format("PRAM algorithm '{}' has no {}", algorithm.name, part));
  }
}

void check_variants(const PramAlgorithm& algorithm) {
  require(!algorithm.variants.empty(), algorithm, "variant");
  for (const PramVariant& variant : algorithm.variants) {
    const auto part = [&](const char* what) {
      return fmt::format("{} of variant '{}'", what, variant.name);
    };
    require(!variant.name.empty(), algorithm, "name of a variant");
    require(!variant.help.empty(), algorithm, part("help"));
    const PramBound& bound = variant.bound;
    require(!bound.text.empty() && bound.steps && bound.processors && bound.work, algorithm,
            part("bound"));
    require(!variant.source.empty(), algorithm, part("source"));
    require(!variant.machines.empty(), algorithm, part("machine"));
  }
}

std::string choose_input(const PramAlgorithm& algorithm, const std::string& input) {
  if (input.empty()) return algorithm.inputs.front();
  const bool known =
      std::find(algorithm.inputs.begin(), algorithm.inputs.end(), input) != algorithm.inputs.end();
  if (known || is_given(input)) return input;
  throw UsageError(
      fmt::format("{} has no input '{}': known are {}, and values:1,0,1 for given "
                  "values",
                  algorithm.name, input, fmt::join(algorithm.inputs, ", ")));
}

void check_given_parameters(const PramAlgorithm& algorithm, const PramRunConfig& config) {
  for (const auto& [name, value] : config.parameters) {
    const auto known =
        std::find_if(algorithm.parameters.begin(), algorithm.parameters.end(),
                     [&name = name](const PramParameter& p) { return p.name == name; });
    if (known == algorithm.parameters.end()) {
      throw UsageError(
          algorithm.parameters.empty()
              ? fmt::format("{} has no parameters; leave '{}' out", algorithm.name, name)
              : fmt::format("{} has no parameter '{}': known are {}", algorithm.name, name,
                            fmt::join(names(algorithm.parameters), ", ")));
    }
    if (value < known->least) {
      throw UsageError(fmt::format("{} = {}: must be at least {}", name, value, known->least));
    }
  }
}

void check_machine(const PramAlgorithm& algorithm, const PramVariant& variant,
                   const PramSpec& machine) {
  const std::vector<PramAccess>& machines = variant.machines;
  if (std::find(machines.begin(), machines.end(), machine.access) != machines.end()) return;
  std::vector<std::string> known;
  for (const PramAccess access : machines) known.emplace_back(to_string(access));
  throw UsageError(
      fmt::format("{} ({}) is not correct on the {}, whose rule for several accesses to one cell "
                  "is another than it needs; it works on: {}",
                  algorithm.name, variant.name, machine.to_string(), fmt::join(known, ", ")));
}

}  // namespace

void PramRegistry::add(PramAlgorithm algorithm) {
  require(!algorithm.name.empty(), algorithm, "name");
  require(!algorithm.summary.empty(), algorithm, "summary");
  check_variants(algorithm);
  require(!algorithm.inputs.empty(), algorithm, "input");
  require(static_cast<bool>(algorithm.check), algorithm, "check");
  require(static_cast<bool>(algorithm.run), algorithm, "run");
  require(static_cast<bool>(algorithm.closed_form), algorithm, "closed form");
  require(find_or_null(algorithm.name) == nullptr, algorithm,
          "name of its own: it is registered twice");
  for (PramVariant& variant : algorithm.variants) {
    variant.source = printed_source(std::move(variant.source));
  }
  algorithms_.push_back(std::move(algorithm));
}

const PramAlgorithm* PramRegistry::find_or_null(const std::string& name) const {
  const auto it = std::find_if(algorithms_.begin(), algorithms_.end(),
                               [&](const PramAlgorithm& row) { return row.name == name; });
  return it == algorithms_.end() ? nullptr : &*it;
}

const PramAlgorithm& PramRegistry::find(const std::string& name) const {
  if (const PramAlgorithm* const row = find_or_null(name)) return *row;
  throw UsageError(fmt::format("unknown PRAM algorithm '{}': known are {}", name,
                               fmt::join(names(algorithms_), ", ")));
}

const PramVariant& find_variant(const PramAlgorithm& algorithm, const std::string& name) {
  if (name.empty()) return algorithm.variants.front();
  for (const PramVariant& variant : algorithm.variants) {
    if (variant.name == name) return variant;
  }
  throw UsageError(fmt::format("{} has no variant '{}': known are {}", algorithm.name, name,
                               fmt::join(names(algorithm.variants), ", ")));
}

PramRunConfig resolve(const PramAlgorithm& algorithm, PramRunConfig config, bool own_machine) {
  constexpr std::int64_t largest = std::int64_t{1} << 40;
  if (config.n < 0 || config.n > largest) {
    throw UsageError(fmt::format("n = {}: {} needs 0 to 2^40 elements, for example --n 1000",
                                 config.n, algorithm.name));
  }
  const PramVariant& variant = find_variant(algorithm, config.variant);
  config.algorithm = algorithm.name;
  config.variant = variant.name;
  config.input = choose_input(algorithm, config.input);
  if (own_machine) config.machine.access = variant.machines.front();
  validate(config.machine);
  check_machine(algorithm, variant, config.machine);
  check_given_parameters(algorithm, config);
  for (const PramParameter& parameter : algorithm.parameters) {
    if (!config.parameters.contains(parameter.name)) {
      config.parameters[parameter.name] = parameter.default_value(config);
    }
  }
  algorithm.check(config);
  return config;
}

}  // namespace agpusim
