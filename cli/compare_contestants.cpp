#include "agpusim/cli/compare_contestants.hpp"

#include <algorithm>
#include <cstddef>
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
  for (const Parameter& p : row.parameters) choices.parameters.push_back({p.name, p.least});
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

/// One NAME=VALUE of a contestant. Throws UsageError as parse_assignment does and for a value that
/// is too small at every n.
std::pair<std::string, std::int64_t> assignment_of(const std::string& algorithm,
                                                   const Choices& choices,
                                                   const std::string& text) {
  const auto [name, value] = parse_assignment(algorithm, choices.parameters, text);
  for (const SettableParameter& parameter : choices.parameters) {
    if (parameter.name == name && value < parameter.least) {
      throw UsageError(fmt::format("{} = {}: must be at least {}", name, value, parameter.least));
    }
  }
  return {name, value};
}

/// The parameters of `--set` for each contestant.
class CommonParameters {
 public:
  explicit CommonParameters(const std::vector<std::string>& assignments)
      : assignments_(assignments) {}

  /// Adds those that `choices` has and the contestant does not choose itself.
  void apply(Contestant& contestant, const Choices& choices) {
    for (std::size_t i = 0; i < assignments_.size(); ++i) {
      const std::string name = assignments_[i].substr(0, assignments_[i].find('='));
      const bool known =
          std::any_of(choices.parameters.begin(), choices.parameters.end(),
                      [&](const SettableParameter& parameter) { return parameter.name == name; });
      for (const SettableParameter& parameter : choices.parameters) all_.insert(parameter.name);
      if (!known) continue;
      used_.insert(i);
      contestant.parameters.insert(assignment_of(contestant.algorithm, choices, assignments_[i]));
    }
  }

  /// Throws UsageError for an assignment that no contestant took.
  void require_used() const {
    for (std::size_t i = 0; i < assignments_.size(); ++i) {
      if (used_.contains(i)) continue;
      const std::string& assignment = assignments_[i];
      const std::size_t equals = assignment.find('=');
      if (equals == std::string::npos || equals == 0) {
        throw UsageError(
            fmt::format("--set '{}' is not NAME=VALUE; for example --set range=1024", assignment));
      }
      throw unknown_name("parameter of the contestants", assignment.substr(0, equals),
                         {all_.begin(), all_.end()});
    }
  }

 private:
  const std::vector<std::string>& assignments_;
  std::set<std::size_t> used_;
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
    const auto [name, value] = assignment_of(contestant.algorithm, choices, parts[i]);
    if (!contestant.parameters.try_emplace(name, value).second) {
      throw UsageError(fmt::format("the parameter {} is given twice", name));
    }
  }
  for (const auto& [name, value] : contestant.parameters) {
    contestant.label += fmt::format(",{}={}", name, value);
  }
  common.apply(contestant, choices);
  return contestant;
}

}  // namespace

std::vector<Contestant> parse_contestants(const std::vector<std::string>& texts,
                                          const std::vector<std::string>& set,
                                          const std::vector<TimingRecord>& records) {
  const std::map<std::string, Choices> programs = choices_of_records(records);
  CommonParameters common(set);
  std::vector<Contestant> contestants;
  for (const std::string& text : texts) {
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
