#include "agpusim/cli/compare_contestants.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/assignments.hpp"
#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/suggest.hpp"
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

Choices choices_of_row(const Algorithm& row) {
  Choices choices;
  choices.has_row = true;
  choices.variants = variant_names(row);
  choices.parameters = settable(row);
  return choices;
}

/// The choices of every program that only the records know.
std::map<std::string, Choices> choices_of_records(const std::vector<TimingRecord>& records) {
  std::map<std::string, std::set<std::string>> variants;
  std::map<std::string, std::map<std::string, std::int64_t>> least;
  const std::vector<std::string> rows = algorithm_names();
  for (const TimingRecord& record : records) {
    const RunConfig& config = record.config;
    if (std::find(rows.begin(), rows.end(), config.algorithm) != rows.end()) continue;
    variants[config.algorithm].insert(config.variant);
    auto& parameters = least[config.algorithm];
    for (const auto& [name, value] : config.parameters) {
      const auto [it, added] = parameters.try_emplace(name, value);
      if (!added) it->second = std::min(it->second, value);
    }
  }
  std::map<std::string, Choices> choices;
  for (const auto& [name, known] : variants) {
    choices[name].variants.assign(known.begin(), known.end());
    for (const auto& [parameter, value] : least[name]) {
      choices[name].parameters.push_back({parameter, std::min<std::int64_t>(value, 0)});
    }
  }
  return choices;
}

std::string variant_of(const std::string& algorithm, const Choices& choices, bool given,
                       const std::string& variant) {
  const std::vector<std::string>& known = choices.variants;
  if (!given) {
    if (choices.has_row) return known.empty() ? "" : known.front();
    if (known.size() == 1 || known.front().empty()) return known.front();
    throw UsageError(fmt::format("{0} was measured in several variants: choose {0}:{1}", algorithm,
                                 fmt::join(known, fmt::format(" or {}:", algorithm))));
  }
  if (std::find(known.begin(), known.end(), variant) != known.end()) return variant;
  if (known.empty() || (known.size() == 1 && known.front().empty())) {
    throw UsageError(fmt::format("{} has no variants; leave ':{}' out", algorithm, variant));
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
                     CommonParameters& common) {
  const std::vector<std::string> parts = list_items(text);
  const std::size_t colon = parts.front().find(':');
  Contestant contestant;
  contestant.algorithm = parts.front().substr(0, colon);
  const auto program = programs.find(contestant.algorithm);
  const std::vector<std::string> rows = algorithm_names();
  const std::vector<std::string> pram_rows = pram_algorithm_names();
  const auto among = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), contestant.algorithm) != names.end();
  };
  if (program == programs.end() && !among(rows) && !among(pram_rows)) {
    if (catalog().row_of_peer(contestant.algorithm) != nullptr) {
      throw UsageError(fmt::format(
          "the records hold no times of this library's program; add them with `agpusim measure "
          "--algorithm {}`, or leave --records out for the measurements that agpusim carries",
          contestant.algorithm));
    }
    std::vector<std::string> known = rows;
    for (const auto& [name, choices] : programs) known.push_back(name);
    throw unknown_name("contestant", contestant.algorithm, known);
  }
  const Choices choices = program != programs.end()
                              ? program->second
                              : choices_of_row(find_algorithm(contestant.algorithm));
  const bool given = colon != std::string::npos;
  contestant.variant = variant_of(contestant.algorithm, choices, given,
                                  given ? parts.front().substr(colon + 1) : "");
  contestant.label =
      contestant.algorithm + (contestant.variant.empty() ? "" : ":" + contestant.variant);
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

}  // namespace

std::vector<std::string> spelled_out(const std::vector<std::string>& texts) {
  std::vector<std::string> result;
  const auto add_variants = [&](const std::string& name, const std::vector<std::string>& variants,
                                const std::string& rest) {
    for (const std::string& variant : variants) result.push_back(name + ":" + variant + rest);
    if (variants.empty()) result.push_back(name + rest);
  };
  for (const std::string& text : texts) {
    const bool pram = text.starts_with(on_pram);
    const std::string prefix = pram ? on_pram : "";
    const std::string body = text.substr(prefix.size());
    const std::string rest = body.substr(std::min(body.find(','), body.size()));
    const std::string head = body.substr(0, body.size() - rest.size());
    const std::string name = head.substr(0, head.find(':'));
    const bool all_variants = head == name + ":all";
    if (head == "all") {
      if (pram) {
        for (const Algorithm& row : catalog().on_pram()) {
          add_variants(prefix + row.name, variant_names(*row.pram), rest);
        }
      } else {
        for (const Algorithm& row : catalog().on_agpu()) {
          add_variants(row.name, variant_names(row), rest);
        }
      }
    } else if (all_variants && pram) {
      add_variants(prefix + name, variant_names(*find_pram_algorithm(name).pram), rest);
    } else if (all_variants) {
      add_variants(name, variant_names(find_algorithm(name)), rest);
    } else {
      result.push_back(text);
    }
  }
  return result;
}

std::vector<Contestant> parse_contestants(const std::vector<std::string>& texts,
                                          const Settings& set,
                                          const std::vector<TimingRecord>& records) {
  const std::map<std::string, Choices> programs = choices_of_records(records);
  CommonParameters common(set);
  std::vector<Contestant> contestants;
  for (const std::string& text : spelled_out(texts)) {
    try {
      contestants.push_back(parse_one(text, programs, common));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("contestant '{}': {}", text, error.what()));
    }
  }
  common.require_used();
  return contestants;
}

}  // namespace agpusim
