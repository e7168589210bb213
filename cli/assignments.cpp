#include "agpusim/cli/assignments.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/suggest.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {

std::pair<std::string, std::int64_t> parse_assignment(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError(fmt::format("--set '{}' is not NAME=VALUE; for example --set {}=1024",
                                 assignment,
                                 assignment.empty() || equals == 0 ? "tile" : assignment));
  }
  const std::string name = assignment.substr(0, equals);
  const std::string text = assignment.substr(equals + 1);
  const SizeRange range{.min = 0, .example = "1024"};
  const bool negative = text.starts_with('-');
  const std::int64_t value = parse_size("--set " + name, text.substr(negative ? 1 : 0), range);
  return {name, negative ? -value : value};
}

void require_settable(const std::string& algorithm, const std::vector<SettableParameter>& known,
                      const Settings& settings) {
  for (const auto& [name, value] : settings) {
    if (known.empty()) {
      throw UsageError(fmt::format("--set {}={}: {} has no parameters", name, value, algorithm));
    }
    const auto parameter =
        std::find_if(known.begin(), known.end(),
                     [&name = name](const SettableParameter& p) { return p.name == name; });
    if (parameter == known.end()) {
      std::vector<std::string> names;
      std::transform(known.begin(), known.end(), std::back_inserter(names),
                     [](const SettableParameter& p) { return p.name; });
      throw unknown_name("parameter of " + algorithm, name, names);
    }
    if (value < 0 && parameter->least >= 0) {
      throw UsageError(fmt::format(
          "--set {0} '{1}' is negative: the smallest value is {2}; for example --set {0}=1024",
          name, value, size_text(parameter->least)));
    }
    if (value < 0 && value < parameter->least) {
      throw UsageError(fmt::format("--set {0} '{1}' is too small: the smallest value is -{2}", name,
                                   value, size_text(-parameter->least)));
    }
  }
}

Settings known_of(const Settings& settings, const std::vector<SettableParameter>& known) {
  Settings result;
  for (const SettableParameter& parameter : known) {
    if (const auto it = settings.find(parameter.name); it != settings.end()) result.insert(*it);
  }
  return result;
}

}  // namespace agpusim
