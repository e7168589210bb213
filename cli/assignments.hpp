#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace agpusim {

/// Parameters by name, as `--set NAME=VALUE` gives them.
using Settings = std::map<std::string, std::int64_t>;

/// A parameter that `--set` may name.
struct SettableParameter {
  std::string name;
  std::int64_t least = 0;  ///< smallest value; may be negative
};

/// Parameters of a row.
template <class Row>
[[nodiscard]] std::vector<SettableParameter> settable(const Row& row) {
  std::vector<SettableParameter> known;
  for (const auto& parameter : row.parameters) known.push_back({parameter.name, parameter.least});
  return known;
}

/// The name and value of NAME=VALUE. Throws UsageError: not of that form, a value that is no size.
[[nodiscard]] std::pair<std::string, std::int64_t> parse_assignment(const std::string& assignment);

/// Throws UsageError for a name that `algorithm` does not have (with the nearest) and for a
/// negative value where there is none.
void require_settable(const std::string& algorithm, const std::vector<SettableParameter>& known,
                      const Settings& settings);

/// The part of `settings` whose names are known.
[[nodiscard]] Settings known_of(const Settings& settings,
                                const std::vector<SettableParameter>& known);

}  // namespace agpusim
