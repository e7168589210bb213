#include "agpusim/algorithms/registry.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/common/citation.hpp"
#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/simulate.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/run.hpp"

namespace agpusim {
namespace {

template <class Rows>
std::vector<std::string> names(const Rows& rows) {
  std::vector<std::string> result;
  for (const auto& row : rows) result.push_back(row.name);
  return result;
}

std::vector<std::string> names(const Registry::Rows& rows) {
  std::vector<std::string> result;
  for (const Algorithm& row : rows) result.push_back(row.name);
  return result;
}

/// `value`, or the first of `known` when it is empty; throws UsageError when it is not among them.
std::string choose(const std::string& algorithm, const char* what,
                   const std::vector<std::string>& known, const std::string& value,
                   const char* more = "") {
  if (value.empty()) return known.empty() ? "" : known.front();
  if (std::find(known.begin(), known.end(), value) != known.end()) return value;
  if (known.empty()) {
    throw UsageError(fmt::format("{} has no {}; leave '{}' out", algorithm, what, value));
  }
  throw UsageError(fmt::format("{} has no {} '{}': known are {}{}", algorithm, what, value,
                               fmt::join(known, ", "), more));
}

template <class Named>
const Named* named(const std::vector<Named>& all, const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const std::vector<std::string>& types_of(const Algorithm& algorithm, const Variant* variant) {
  return variant == nullptr || variant->types.empty() ? algorithm.types : variant->types;
}

const Bound& bound_of(const Algorithm& algorithm, Bound Variant::*of_variant,
                      Bound Algorithm::*of_row, const std::string& name) {
  const Variant* const variant = find_variant(algorithm.name, algorithm, name);
  return variant == nullptr || (variant->*of_variant).text.empty() ? algorithm.*of_row
                                                                   : variant->*of_variant;
}

/// Fills in what a row leaves out.
Algorithm with_defaults(Algorithm row) {
  if (!row.simulate) {
    row.simulate = [program = row.program, reference = row.reference, expected = row.expected](
                       const RunConfig& config, const SimulationOptions& options) {
      return agpusim::simulate(program, reference, expected, config, options);
    };
  }
  if (!row.reference) {  // on other machines the same must result
    row.reference = [simulate = row.simulate](const RunConfig& config) {
      return simulate(config, {}).checksum;
    };
  }
  if (!row.derive) {
    row.derive = [program = row.program](const RunConfig& config) {
      return program ? derive_counts(program, config) : std::nullopt;
    };
  }
  if (row.types.empty()) row.types = {"u32"};
  if (row.inputs.empty()) row.inputs = input_kinds();
  row.given_values = row.given_values || row.inputs == input_kinds();
  for (Bound* const bound : {&row.time, &row.io}) {
    if (bound->text.empty()) bound->text = "none known";
  }
  if (row.family.empty()) row.family = "own programs";
  if (row.summary.empty()) row.summary = "no summary";
  if (row.source.empty()) row.source = "no source";
  if (!row.check) row.check = [](const RunConfig&) {};
  if (!row.lower_bound) {
    row.lower_bound = [](const RunConfig&) { return LowerBound{0, 0, "none known"}; };
  }
  return row;
}

/// Throws std::logic_error unless `present`.
void require(bool present, const std::string& name, const std::string& part) {
  if (!present) throw std::logic_error(fmt::format("algorithm '{}' has no {}", name, part));
}

void require_complete(const std::string& name, const PramSide& side) {
  const auto need = [&](bool present, const std::string& part) {
    require(present, name, part + " on a PRAM");
  };
  need(!side.summary.empty(), "summary");
  need(!side.variants.empty(), "variant");
  for (const Variant& variant : side.variants) {
    const auto need_part = [&](bool present, const char* part) {
      need(present, fmt::format("{} of variant '{}'", part, variant.name));
    };
    const PramBound& bound = variant.on_pram;
    need_part(!variant.name.empty(), "name");
    need_part(!variant.help.empty(), "help");
    need_part(!bound.text.empty(), "bound");
    need_part(!variant.source.empty(), "source");
    need_part(!variant.machines.empty(), "machine");
  }
  need(!side.inputs.empty(), "input");
  need(side.check && side.run, "check or run");
}

void check_machine(const Algorithm& algorithm, const RunConfig& config) {
  const Variant& variant = pram_variant_of(algorithm, config);
  const std::vector<PramAccess>& machines = variant.machines;
  if (std::find(machines.begin(), machines.end(), config.pram->access) != machines.end()) return;
  std::vector<std::string> known;
  for (const PramAccess access : machines) known.emplace_back(to_string(access));
  std::vector<std::string> others;
  for (const Variant& other : algorithm.pram->variants) {
    const auto& its = other.machines;
    if (std::find(its.begin(), its.end(), config.pram->access) != its.end()) {
      others.push_back("--variant " + other.name);
    }
  }
  throw UsageError(
      fmt::format("{} ({}) is not correct on the {}, whose rule for several accesses to one cell "
                  "is another than it needs; it works on: {}{}{}",
                  algorithm.name, variant.name, config.pram->to_string(), fmt::join(known, ", "),
                  others.empty() ? "" : "; on this one: ", fmt::join(others, " or ")));
}

/// Machine and, on AGPU, element type of a run whose variant is chosen.
void resolve_machine(const Algorithm& algorithm, RunConfig& config, bool own_machine) {
  if (config.pram) {
    if (own_machine) {
      config.pram->access = pram_variant_of(algorithm, config).machines.front();
    }
    validate(*config.pram);
    check_machine(algorithm, config);
    return;
  }
  const Variant* const variant = find_variant(algorithm.name, algorithm, config.variant);
  const bool own_types = variant != nullptr && !variant->types.empty();
  config.type =
      choose(own_types ? fmt::format("{} ({})", algorithm.name, variant->name) : algorithm.name,
             "type", types_of(algorithm, variant), config.type);
}

void resolve_parameters(const std::string& algorithm, const Side& side, RunConfig& config) {
  for (const auto& [name, value] : config.parameters) {
    const Parameter* const known = named(side.parameters, name);
    if (known == nullptr) {
      static_cast<void>(choose(algorithm, side.parameters.empty() ? "parameters" : "parameter",
                               names(side.parameters), name));
    } else if (value < known->least) {
      throw UsageError(fmt::format("{} = {}: must be at least {}", name, value, known->least));
    }
  }
  for (const Parameter& parameter : side.parameters) {
    const std::int64_t usual = parameter.default_value(config);
    if (!parameter.implied) {
      config.parameters.try_emplace(parameter.name, usual);
    } else if (const auto it = config.parameters.find(parameter.name);
               it != config.parameters.end() && it->second == usual) {
      config.parameters.erase(it);
    }
  }
}

}  // namespace

std::vector<std::string> variant_names(const Side& side) { return names(side.variants); }

const Variant* find_variant(const std::string& algorithm, const Side& side,
                            const std::string& name) {
  return named(side.variants, choose(algorithm, "variant", variant_names(side), name));
}

const Variant& pram_variant_of(const Algorithm& algorithm, const RunConfig& config) {
  return *find_variant(algorithm.name, algorithm.pram.value(), config.variant);
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

PramForm pram_form(const Algorithm& algorithm, const RunConfig& config) {
  const PramSide& side = algorithm.pram.value();
  if (side.closed_form) return side.closed_form(config);
  return counted_form(side.run(config, {.record_trace = false}).report);
}

const Bound& time_bound(const Algorithm& algorithm, const RunConfig& config) {
  return bound_of(algorithm, &Variant::time, &Algorithm::time, config.variant);
}

const Bound& io_bound(const Algorithm& algorithm, const RunConfig& config) {
  return bound_of(algorithm, &Variant::io, &Algorithm::io, config.variant);
}

void Registry::add(Algorithm algorithm) {
  require(!algorithm.name.empty(), algorithm.name, "name");
  require(algorithm.program || algorithm.simulate, algorithm.name, "program");
  require(find_or_null(algorithm.name) == nullptr, algorithm.name,
          "name of its own: it is registered twice");
  algorithm.source = printed_source(std::move(algorithm.source));
  if (const Algorithm* const row = named(algorithms_, algorithm.name)) {
    algorithm.pram = row->pram;
    algorithms_[static_cast<std::size_t>(row - algorithms_.data())] =
        with_defaults(std::move(algorithm));
  } else {
    algorithms_.push_back(with_defaults(std::move(algorithm)));
  }
}

void Registry::add(const std::string& name, PramSide side) {
  require(!name.empty(), name, "name");
  require_complete(name, side);
  require(find_on_pram_or_null(name) == nullptr, name, "name of its own: it is registered twice");
  for (Variant& variant : side.variants) variant.source = printed_source(std::move(variant.source));
  auto row = std::find_if(algorithms_.begin(), algorithms_.end(),
                          [&](const Algorithm& one) { return one.name == name; });
  if (row == algorithms_.end()) {
    row = algorithms_.emplace(row);
    row->name = name;
  }
  row->pram = std::move(side);
}

const Algorithm* Registry::find_or_null(const std::string& name) const {
  const Algorithm* const row = named(algorithms_, name);
  return row != nullptr && row->on_agpu() ? row : nullptr;
}

const Algorithm* Registry::find_on_pram_or_null(const std::string& name) const {
  const Algorithm* const row = named(algorithms_, name);
  return row != nullptr && row->pram ? row : nullptr;
}

const Algorithm* Registry::row_of_peer(const std::string& name) const {
  const auto it = std::find_if(algorithms_.begin(), algorithms_.end(), [&](const Algorithm& row) {
    return std::find(row.peers.begin(), row.peers.end(), name) != row.peers.end();
  });
  return it == algorithms_.end() ? nullptr : &*it;
}

const Algorithm& Registry::find(const std::string& name) const {
  if (const Algorithm* const row = find_or_null(name)) return *row;
  throw UsageError(
      fmt::format("unknown algorithm '{}': known are {}", name, fmt::join(names(on_agpu()), ", ")));
}

const Algorithm& Registry::find_on_pram(const std::string& name) const {
  if (const Algorithm* const row = find_on_pram_or_null(name)) return *row;
  throw UsageError(fmt::format("unknown PRAM algorithm '{}': known are {}", name,
                               fmt::join(names(on_pram()), ", ")));
}

Registry::Rows Registry::on_agpu() const {
  Rows rows;
  std::copy_if(algorithms_.begin(), algorithms_.end(), std::back_inserter(rows),
               [](const Algorithm& row) { return row.on_agpu(); });
  return rows;
}

Registry::Rows Registry::on_pram() const {
  Rows rows;
  std::copy_if(algorithms_.begin(), algorithms_.end(), std::back_inserter(rows),
               [](const Algorithm& row) { return row.pram.has_value(); });
  return rows;
}

const Registry& bundled_algorithms() {
  static const Registry bundled = [] {
    Registry all;
    register_all(all);
    return all;
  }();
  return bundled;
}

RunConfig resolve(const Algorithm& algorithm, RunConfig config, bool own_machine) {
  constexpr std::int64_t largest = std::int64_t{1} << 40;
  const Side& side = algorithm.side_of(config);
  if (config.n < side.min_n || config.n > largest) {
    throw UsageError(fmt::format("n = {}: {} needs {} to 2^40 elements, for example --n {}",
                                 config.n, algorithm.name, side.min_n,
                                 config.pram ? "1000" : "2^20"));
  }
  if (!config.pram) validate(config.spec);
  config.algorithm = algorithm.name;
  config.variant = choose(algorithm.name, "variant", variant_names(side), config.variant);
  resolve_machine(algorithm, config, own_machine);
  if (!side.given_values || !is_given(config.input)) {
    config.input = choose(algorithm.name, "input", side.inputs, config.input,
                          config.pram ? ", and values:1,0,1 for given values" : "");
  }
  resolve_parameters(algorithm.name, side, config);
  side.check(config);
  return config;
}

RunConfig reference_run(const Registry& registry, const RunConfig& config) {
  const Algorithm* const row = registry.row_of_peer(config.algorithm);
  return row == nullptr ? config : resolve(*row, config);
}

}  // namespace agpusim
