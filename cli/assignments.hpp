#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

/// A parameter that `--set` may name.
struct SettableParameter {
  std::string name;
  std::int64_t least = 0;  ///< smallest value; may be negative
};

/// The name and value of `--set NAME=VALUE`. Throws UsageError: not of that form, a name that
/// `algorithm` does not have (with the nearest), a value that is no size or is too small.
[[nodiscard]] std::pair<std::string, std::int64_t> parse_assignment(
    const std::string& algorithm, const std::vector<SettableParameter>& known,
    const std::string& assignment);

/// The parameters of several `--set`, of which the last one of a name counts.
[[nodiscard]] std::map<std::string, std::int64_t> parse_assignments(
    const Algorithm& algorithm, const std::vector<std::string>& set);

/// The value of --n, or the number of keys of an input "values:3,3,1,7", which does without. Throws
/// UsageError when there is neither.
[[nodiscard]] std::int64_t input_size(const std::string& n, const std::string& input);

}  // namespace agpusim
