#pragma once

#include <optional>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/counts/compare_reports.hpp"

namespace agpusim::test {

/// All rows of the algorithm table.
inline const Registry& all_rows() {
  static const Registry table = [] {
    Registry registry;
    register_all(registry);
    return registry;
  }();
  return table;
}

/// The row of an algorithm.
inline const Algorithm& row(const std::string& name) { return all_rows().find(name); }

/// The derived counts of a run, which must not depend on data.
inline RunReport derived(const RunConfig& config) {
  const std::optional<RunReport> report = row(config.algorithm).derive(config);
  REQUIRE(report);
  return *report;
}

/// Simulates; the result must be right and the counts equal the derived ones, if there are such.
inline RunResult checked_run(const RunConfig& config) {
  const Algorithm& algorithm = row(config.algorithm);
  RunResult result = algorithm.simulate(config, {1, true, true, {}});
  REQUIRE(result.correct);
  if (const auto expected = algorithm.derive(config)) {
    const auto differences = compare_reports(result.report, *expected, "derived").wrong;
    if (!differences.empty()) FAIL(differences.front());
  }
  return result;
}

/// The value of this name that a run prints; empty where it prints none.
inline std::string value_of(const RunResult& result, const std::string& name) {
  for (const NamedValue& value : result.values) {
    if (value.name == name) return value.value;
  }
  return "";
}

}  // namespace agpusim::test
