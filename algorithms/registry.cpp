#include "agpusim/algorithms/registry.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/common/citation.hpp"
#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/simulate.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

template <class Row>
std::vector<std::string> names(const std::vector<Row>& rows) {
  std::vector<std::string> result;
  for (const Row& row : rows) result.push_back(row.name);
  return result;
}

/// `value`, or the first of `known` when it is empty; throws UsageError when it is not among them.
std::string choose(const std::string& algorithm, const char* what,
                   const std::vector<std::string>& known, const std::string& value) {
  if (value.empty()) return known.empty() ? "" : known.front();
  if (std::find(known.begin(), known.end(), value) != known.end()) return value;
  if (known.empty()) {
    throw UsageError(fmt::format("{} has no {}; leave '{}' out", algorithm, what, value));
  }
  throw UsageError(fmt::format("{} has no {} '{}': known are {}", algorithm, what, value,
                               fmt::join(known, ", ")));
}

/// The variant of this name, the default for none; nothing where there is one form only.
const Variant* find_variant(const Algorithm& algorithm, const std::string& name) {
  const std::string chosen = choose(algorithm.name, "variant", variant_names(algorithm), name);
  const auto found = std::find_if(algorithm.variants.begin(), algorithm.variants.end(),
                                  [&](const Variant& variant) { return variant.name == chosen; });
  return found == algorithm.variants.end() ? nullptr : &*found;
}

const std::vector<std::string>& types_of(const Algorithm& algorithm, const Variant* variant) {
  return variant == nullptr || variant->types.empty() ? algorithm.types : variant->types;
}

const Bound& bound_of(const Algorithm& algorithm, Bound Variant::*of_variant,
                      Bound Algorithm::*of_row, const std::string& name) {
  const Variant* const variant = find_variant(algorithm, name);
  return variant == nullptr || (variant->*of_variant).text.empty() ? algorithm.*of_row
                                                                   : variant->*of_variant;
}

/// Fills in what a row leaves out.
Algorithm with_defaults(Algorithm row) {
  if (!row.simulate) {
    row.simulate = [program = row.program, reference = row.reference](
                       const RunConfig& config, const SimulationOptions& options) {
      return agpusim::simulate(program, reference, config, options);
    };
  }
  if (!row.derive) {
    row.derive = [program = row.program](const RunConfig& config) {
      return program ? derive_counts(program, config) : std::nullopt;
    };
  }
  if (row.types.empty()) row.types = {"u32"};
  if (row.inputs.empty()) row.inputs = input_kinds();
  for (Bound* const bound : {&row.time, &row.io}) {
    if (bound->text.empty()) bound->text = "none known";
  }
  if (row.summary.empty()) row.summary = "no summary";
  if (row.source.empty()) row.source = "no source";
  if (!row.check) row.check = [](const RunConfig&) {};
  if (!row.lower_bound) {
    row.lower_bound = [](const RunConfig&) { return LowerBound{0, 0, "none known"}; };
  }
  return row;
}

}  // namespace

std::vector<std::string> variant_names(const Algorithm& algorithm) {
  return names(algorithm.variants);
}

std::vector<RunConfig> forms_of(const Algorithm& algorithm) {
  std::vector<RunConfig> forms;
  RunConfig form;
  form.algorithm = algorithm.name;
  form.input = algorithm.inputs.front();
  const auto add = [&](const Variant* variant) {
    form.variant = variant == nullptr ? "" : variant->name;
    for (const std::string& type : types_of(algorithm, variant)) {
      form.type = type;
      forms.push_back(form);
    }
  };
  for (const Variant& variant : algorithm.variants) add(&variant);
  if (algorithm.variants.empty()) add(nullptr);
  return forms;
}

const Bound& time_bound(const Algorithm& algorithm, const RunConfig& config) {
  return bound_of(algorithm, &Variant::time, &Algorithm::time, config.variant);
}

const Bound& io_bound(const Algorithm& algorithm, const RunConfig& config) {
  return bound_of(algorithm, &Variant::io, &Algorithm::io, config.variant);
}

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
  algorithm.source = printed_source(std::move(algorithm.source));
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

Formula formula_of_io(std::string text,
                      std::function<std::optional<std::int64_t>(const RunConfig&)> value) {
  return {"Q", "Q = " + std::move(text), std::move(value),
          [](const RunReport& report) { return report.total().io(); }};
}

RunConfig resolve(const Algorithm& algorithm, RunConfig config) {
  constexpr std::int64_t largest = std::int64_t{1} << 40;
  if (config.n < algorithm.min_n || config.n > largest) {
    throw UsageError(fmt::format("n = {}: {} needs {} to 2^40 elements, for example --n 2^20",
                                 config.n, algorithm.name, algorithm.min_n));
  }
  validate(config.spec);
  config.algorithm = algorithm.name;
  const Variant* const variant = find_variant(algorithm, config.variant);
  config.variant = variant == nullptr ? "" : variant->name;
  const bool own_types = variant != nullptr && !variant->types.empty();
  config.type =
      choose(own_types ? fmt::format("{} ({})", algorithm.name, variant->name) : algorithm.name,
             "type", types_of(algorithm, variant), config.type);
  if (!algorithm.given_values || !is_given(config.input)) {
    config.input = choose(algorithm.name, "input", algorithm.inputs, config.input);
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
    const std::int64_t usual = parameter.default_value(config);
    if (parameter.implied) {
      if (config.parameters.contains(parameter.name) &&
          config.parameters.at(parameter.name) == usual) {
        config.parameters.erase(parameter.name);
      }
    } else {
      config.parameters.try_emplace(parameter.name, usual);
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
