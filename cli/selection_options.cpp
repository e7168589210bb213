#include "agpusim/cli/selection_options.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/host_memory.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

using contest::Contestant;

/// What can be chosen of one algorithm or program.
struct Choices {
  std::vector<std::string> variants;  ///< the default first
  std::vector<SettableParameter> parameters;
  bool has_row = false;
};

constexpr const char* on_pram = "pram/";  ///< begins the name of a program on a PRAM

const Algorithm& find_row(const std::string& name, bool pram) {
  return pram ? find_pram_algorithm(name) : find_algorithm(name);
}

const Side& side_of(const Algorithm& row, bool pram) {
  return pram ? static_cast<const Side&>(row.pram.value()) : row;
}

Choices choices_of(const Side& side) { return {variant_names(side), settable(side), true}; }

/// The choices of every program that only the records know.
std::map<std::string, Choices> choices_of_records(const std::vector<TimingRecord>& records) {
  std::map<std::string, std::set<std::string>> forms;
  std::map<std::string, std::map<std::string, std::int64_t>> least;
  for (const TimingRecord& record : records) {
    const RunConfig& config = record.config;
    if (catalog().find_or_null(config.algorithm) != nullptr) continue;
    forms[config.algorithm].insert(config.variant);
    auto& parameters = least[config.algorithm];
    for (const auto& [name, value] : config.parameters) {
      const auto [it, added] = parameters.try_emplace(name, value);
      if (!added) it->second = std::min(it->second, value);
    }
  }
  std::map<std::string, Choices> choices;
  for (const auto& [name, known] : forms) {
    choices[name].variants.assign(known.begin(), known.end());
    for (const auto& [parameter, value] : least[name]) {
      choices[name].parameters.push_back({parameter, std::min<std::int64_t>(value, 0)});
    }
  }
  return choices;
}

/// `written`: what stands before the variant on the command line.
std::string variant_of(const std::string& algorithm, const Choices& choices, bool given,
                       const std::string& variant, const char* written) {
  const std::vector<std::string>& known = choices.variants;
  if (!given) {
    if (choices.has_row) return known.empty() ? "" : known.front();
    if (known.size() == 1 || known.front().empty()) return known.front();
    throw UsageError(fmt::format("{0} was measured in several variants: choose {0}:{1}", algorithm,
                                 fmt::join(known, fmt::format(" or {}:", algorithm))));
  }
  if (std::find(known.begin(), known.end(), variant) != known.end()) return variant;
  if (known.empty() || (known.size() == 1 && known.front().empty())) {
    throw UsageError(
        fmt::format("{} has no variants; leave '{}{}' out", algorithm, written, variant));
  }
  throw unknown_name("variant of " + algorithm, variant, known);
}

/// Throws UsageError for parameters that the contestant does not have, and for values that are too
/// small at every n.
void require_choices(const std::string& algorithm, const Choices& choices,
                     const Settings& settings) {
  require_settable(algorithm, choices.parameters, settings);
  for (const SettableParameter& parameter : choices.parameters) {
    const auto it = settings.find(parameter.name);
    if (it == settings.end() || it->second >= parameter.least) continue;
    throw UsageError(
        fmt::format("{} = {}: must be at least {}", parameter.name, it->second, parameter.least));
  }
}

/// The parameters of `--set` for each contestant.
class CommonParameters {
 public:
  explicit CommonParameters(const Settings& settings) : settings_(settings) {}

  /// Adds those that `choices` has and the contestant does not choose itself.
  void apply(Contestant& contestant, const Choices& choices) {
    for (const SettableParameter& parameter : choices.parameters) all_.insert(parameter.name);
    const Settings taken = known_of(settings_, choices.parameters);
    require_choices(contestant.algorithm, choices, taken);
    contestant.parameters.insert(taken.begin(), taken.end());
  }

  /// Throws UsageError for a parameter that no contestant has.
  void require_used() const {
    for (const auto& [name, value] : settings_) {
      if (all_.contains(name)) continue;
      throw unknown_name("parameter of the contestants", name, {all_.begin(), all_.end()});
    }
  }

 private:
  const Settings& settings_;
  std::set<std::string> all_;
};

Contestant parse_one(const std::string& text, const std::map<std::string, Choices>& programs,
                     CommonParameters& common, bool on_prams) {
  const bool prefixed = on_prams && text.starts_with(on_pram);
  const std::vector<std::string> parts =
      list_items(text.substr(prefixed ? std::string(on_pram).size() : 0));
  const std::size_t colon = parts.front().find(':');
  Contestant contestant;
  contestant.algorithm = parts.front().substr(0, colon);
  const auto program = programs.find(contestant.algorithm);
  const bool measured = program != programs.end();
  const bool has_row = catalog().find_or_null(contestant.algorithm) != nullptr;
  const bool has_pram_row = catalog().find_on_pram_or_null(contestant.algorithm) != nullptr;
  const bool pram = prefixed || (on_prams && !has_row && has_pram_row);
  if (!pram && !measured && !has_row && !has_pram_row) {
    if (catalog().row_of_peer(contestant.algorithm) != nullptr) {
      throw UsageError(fmt::format(
          "the records hold no times of this library's program; add them with `agpusim measure "
          "--algorithm {}`, or leave --records out for the measurements that agpusim carries",
          contestant.algorithm));
    }
    std::vector<std::string> known = algorithm_names();
    for (const auto& [name, choices] : programs) known.push_back(name);
    throw unknown_name("contestant", contestant.algorithm, known);
  }
  const Choices choices = measured && !pram
                              ? program->second
                              : choices_of(side_of(find_row(contestant.algorithm, pram), pram));
  if (pram) contestant.pram.emplace();
  const bool given = colon != std::string::npos;
  contestant.variant = variant_of(contestant.algorithm, choices, given,
                                  given ? parts.front().substr(colon + 1) : "", ":");
  contestant.label = (pram ? on_pram : "") + contestant.algorithm +
                     (contestant.variant.empty() ? "" : ":" + contestant.variant);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto [name, value] = parse_assignment(parts[i]);
    if (!contestant.parameters.try_emplace(name, value).second) {
      throw UsageError(fmt::format("the parameter {} is given twice", name));
    }
  }
  require_choices(contestant.algorithm, choices, contestant.parameters);
  for (const auto& [name, value] : contestant.parameters) {
    contestant.label += fmt::format(",{}={}", name, value);
  }
  common.apply(contestant, choices);
  return contestant;
}

std::vector<Contestant> parse_contestants(const SelectionOptions& options,
                                          const std::vector<TimingRecord>& records, bool on_prams) {
  const std::map<std::string, Choices> programs = choices_of_records(records);
  CommonParameters common(options.set);
  std::vector<Contestant> contestants;
  for (const std::string& text : spelled_out(options.programs)) {
    try {
      contestants.push_back(parse_one(text, programs, common, on_prams));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("contestant '{}': {}", text, error.what()));
    }
  }
  common.require_used();
  return contestants;
}

/// The one program of the options.
Contestant one_contestant(const SelectionOptions& options, const Algorithm& row) {
  Contestant one;
  one.label = one.algorithm = row.name;
  const Choices choices = choices_of(side_of(row, options.pram.has_value()));
  one.variant =
      variant_of(row.name, choices, !options.variant.empty(), options.variant, "--variant ");
  require_settable(row.name, choices.parameters, options.set);
  one.parameters = options.set;
  one.pram = options.pram;
  one.own_access = !options.access;
  if (options.access) one.pram->access = *options.access;
  return one;
}

/// The sizes of the options, or that of an input of `type` that gives its elements.
std::vector<std::int64_t> sizes_of(const SelectionOptions& options, const std::string& type) {
  if (!options.n.empty()) return options.n;
  if (is_given(options.input)) return {given_count(options.input, type.ends_with("64") ? 8 : 4)};
  throw UsageError(
      fmt::format("--n is required, for example --n {} (see `agpusim help sizes`); only --input "
                  "values:3,3,1,7 and --input file:NAME do without",
                  options.programs.empty() ? "2^10" : "2^10..2^20"));
}

}  // namespace

void add_config_options(CLI::App& command, RunOptions& options,
                        const std::set<std::string>& lists) {
  command.add_option("algorithm", options.algorithm, "see `agpusim list`")->required();
  const std::string names = "-n,--n";
  const std::string help = "elements of the input (see `agpusim help sizes`)";
  const SizeRange range{.min = 0};
  (lists.contains("n") ? add_sizes(command, names, options.n, help, range)
                       : add_size(command, names, options.n, help, range))
      ->type_name("SIZE");
  add_machine_options(command, options.machine, lists);
  command.add_option("--variant", options.variant, "form of the algorithm")->type_name("NAME");
  command.add_option("--type", options.type, "element type")->type_name("NAME");
  command.add_option("--input", options.input, "kind of input; also values:3,3,1,7 or file:NAME")
      ->type_name("NAME");
  add_seed(command, options.seed, "seed of the input");
  add_set(command, options.set, "parameter of the algorithm; may be repeated");
  command.add_flag("--no-checks", options.no_checks, "do not enforce the rules of the machine");
}

CLI::Option* add_model(CLI::App& command, std::optional<PramAccess>& access,
                       const std::string& help) {
  std::vector<PramAccess> all;
  for (int i = 0; i <= static_cast<int>(PramAccess::bit_xor); ++i) {
    all.push_back(static_cast<PramAccess>(i));
  }
  return add_choice(command, "--model", access, "PRAM", all, help)->type_name("NAME");
}

std::vector<std::string> spelled_out(const std::vector<std::string>& texts) {
  std::vector<std::string> result;
  for (const std::string& text : texts) {
    const bool pram = text.starts_with(on_pram);
    const std::string prefix = pram ? on_pram : "";
    const std::string body = text.substr(prefix.size());
    const std::string rest = body.substr(std::min(body.find(','), body.size()));
    const std::string head = body.substr(0, body.size() - rest.size());
    const std::string name = head.substr(0, head.find(':'));
    const auto add_variants = [&](const Algorithm& row) {
      const std::vector<std::string> forms = variant_names(side_of(row, pram));
      for (const std::string& variant : forms) {
        result.push_back(prefix + row.name + ":" + variant + rest);
      }
      if (forms.empty()) result.push_back(prefix + row.name + rest);
    };
    if (head == "all") {
      for (const Algorithm& row : pram ? catalog().on_pram() : catalog().on_agpu()) {
        add_variants(row);
      }
    } else if (head == name + ":all") {
      add_variants(find_row(name, pram));
    } else {
      result.push_back(text);
    }
  }
  return result;
}

Selection selection_of(const SelectionOptions& options, const std::vector<TimingRecord>& records,
                       bool on_prams) {
  Selection selection{{}, {}, {}, options.type, options.input, options.seed};
  if (!options.programs.empty()) {
    selection.contestants = parse_contestants(options, records, on_prams);
    selection.sizes = sizes_of(options, options.type);
    selection.machines = compared_machines(options.machine, options.device, records);
    return selection;
  }
  const Algorithm& row = find_row(options.algorithm, options.pram.has_value());
  selection.sizes = sizes_of(options, options.pram           ? "i64"
                                      : options.type.empty() ? row.types.front()
                                                             : options.type);
  if (!options.pram) selection.machines = {one_machine(options.machine)};
  selection.contestants = {one_contestant(options, row)};
  return selection;
}

RunConfig make_pram_config(const SelectionOptions& options) {
  const Selection selection = selection_of(options);
  RunConfig words;
  words.type = "i64";
  words.n = selection.sizes.front();
  require_host_memory(words);
  RunConfig config = run_of(catalog(), selection).config;
  if (config.pram->sum == SumReading::count && config.pram->access != PramAccess::sum) {
    throw UsageError(
        fmt::format("--sum count needs a Sum-CRCW PRAM, and this is the {}: choose "
                    "--model sum or leave it out",
                    config.pram->to_string()));
  }
  return config;
}

}  // namespace agpusim
