#include "agpusim/cli/assignments.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/suggest.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

constexpr std::int64_t largest = std::int64_t{1} << 40;

std::int64_t parse_value(const SettableParameter& parameter, const std::string& text) {
  const std::string option = "--set " + parameter.name;
  if (!text.starts_with('-') || parameter.least >= 0) {
    return parse_size(option, text, {.min = 0, .max = largest, .example = "1024"});
  }
  return -parse_size(option, text.substr(1),
                     {.min = 0, .max = -std::max(parameter.least, -largest), .example = "-5"});
}

}  // namespace

std::pair<std::string, std::int64_t> parse_assignment(const std::string& algorithm,
                                                      const std::vector<SettableParameter>& known,
                                                      const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError(fmt::format("--set '{}' is not NAME=VALUE; for example --set {}=1024",
                                 assignment, known.empty() ? "tile" : known.front().name));
  }
  if (known.empty()) {
    throw UsageError(fmt::format("--set {}: {} has no parameters", assignment, algorithm));
  }
  const std::string name = assignment.substr(0, equals);
  const auto parameter =
      std::find_if(known.begin(), known.end(),
                   [&](const SettableParameter& candidate) { return candidate.name == name; });
  if (parameter == known.end()) {
    std::vector<std::string> names;
    std::transform(known.begin(), known.end(), std::back_inserter(names),
                   [](const SettableParameter& p) { return p.name; });
    throw unknown_name("parameter of " + algorithm, name, names);
  }
  return {name, parse_value(*parameter, assignment.substr(equals + 1))};
}

std::map<std::string, std::int64_t> parse_assignments(const Algorithm& algorithm,
                                                      const std::vector<std::string>& set) {
  std::vector<SettableParameter> known;
  for (const Parameter& p : algorithm.parameters) known.push_back({p.name, p.least});
  std::map<std::string, std::int64_t> parameters;
  for (const std::string& assignment : set) {
    const auto [name, value] = parse_assignment(algorithm.name, known, assignment);
    parameters[name] = value;
  }
  return parameters;
}

std::int64_t input_size(const std::string& n, const std::string& input) {
  if (!n.empty()) return parse_size("--n", n, {.min = 0});
  if (!is_given(input)) {
    throw UsageError(
        "--n is required, for example --n 2^10 (see `agpusim help sizes`); only --input "
        "values:3,3,1,7 does without");
  }
  return given_count(input);
}

}  // namespace agpusim
