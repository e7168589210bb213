#include "agpusim/commands/compare/detail/measured_times.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/validation/records/latest.hpp"

namespace agpusim::contest::detail {
namespace {

using Parameters = std::map<std::string, std::int64_t>;

std::string parameters_text(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  }
  return text;
}

bool fits(const RunConfig& config, const RunConfig& wanted, const Parameters& keys) {
  const auto value_is = [&](const std::string& name, std::int64_t value, bool needed) {
    const auto it = config.parameters.find(name);
    return it == config.parameters.end() ? !needed : it->second == value;
  };
  return config.variant == wanted.variant && config.type == wanted.type && config.n == wanted.n &&
         config.input == wanted.input && config.seed == wanted.seed &&
         std::all_of(wanted.parameters.begin(), wanted.parameters.end(),
                     [&](const auto& p) { return value_is(p.first, p.second, true); }) &&
         std::all_of(keys.begin(), keys.end(), [&](const auto& p) {
           return wanted.parameters.contains(p.first) || value_is(p.first, p.second, false);
         });
}

}  // namespace

MeasuredTimes::MeasuredTimes(const std::vector<TimingRecord>& records) {
  for (const TimingRecord& record : records) {
    by_algorithm_[record.config.algorithm].push_back(&record);
  }
}

Found MeasuredTimes::of_program(const std::string& device, const RunConfig& wanted,
                                const Parameters& keys) const {
  std::map<Parameters, const TimingRecord*> fitting;
  for (const TimingRecord* const record : of_algorithm(wanted.algorithm)) {
    if (record->environment.device != device || !fits(record->config, wanted, keys)) continue;
    keep_latest(fitting[record->config.parameters], *record);
  }
  Found found;
  if (fitting.size() == 1) found.record = fitting.begin()->second;
  if (fitting.size() > 1) {
    for (const auto& [parameters, record] : fitting) {
      found.choices.push_back(parameters_text(parameters));
    }
  }
  return found;
}

const std::vector<const TimingRecord*>& MeasuredTimes::of_algorithm(
    const std::string& algorithm) const {
  static const std::vector<const TimingRecord*> none;
  const auto it = by_algorithm_.find(algorithm);
  return it == by_algorithm_.end() ? none : it->second;
}

}  // namespace agpusim::contest::detail
