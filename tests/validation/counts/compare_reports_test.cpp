#include "agpusim/validation/counts/compare_reports.hpp"

#include <cstring>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/members.hpp"
#include "agpusim/validation/counts/count_fields.hpp"

using agpusim::compare_reports;
using agpusim::PhaseReport;
using agpusim::RunReport;
using Catch::Matchers::ContainsSubstring;

namespace {

const RunReport& report() {
  static const RunReport value = agpusim::test::fake_report(agpusim::test::fake_config(1000));
  return value;
}

/// The differences after `change` was applied to phase 1.
template <class F>
std::vector<std::string> after(F change) {
  RunReport other = report();
  change(other.phases.at(1));
  return compare_reports(report(), other, "stored");
}

}  // namespace

TEST_CASE("a report equals itself", "[validation][counts]") {
  CHECK(compare_reports(report(), report(), "stored").empty());
}

TEST_CASE("every field of the counts is compared", "[validation][counts][ruler]") {
  for (std::size_t i = 0; i < agpusim::detail::count_fields.size(); ++i) {
    const auto differences = after([&](PhaseReport& phase) {
      // The i-th integer of the struct: independent of the accessors under test.
      std::int64_t value = 0;
      char* const at = reinterpret_cast<char*>(&phase.counts) + i * sizeof(value);
      std::memcpy(&value, at, sizeof(value));
      ++value;
      std::memcpy(at, &value, sizeof(value));
    });
    const std::string name(agpusim::detail::count_fields.at(i).name);
    INFO(name);
    REQUIRE(differences.size() == 1);
    CHECK_THAT(differences.front(), ContainsSubstring("phase 1 (copy_back): " + name + " "));
  }
}

TEST_CASE("every number of a phase is compared", "[validation][counts]") {
  RunReport simulated = report();
  simulated.phases.at(1) = agpusim::test::filled<PhaseReport>();
  for (const PhaseReport& changed : agpusim::test::changed_copies(simulated.phases[1])) {
    RunReport other = simulated;
    other.phases[1] = changed;
    CAPTURE(agpusim::test::leaves(changed));
    // Without an execution there is none to compare.
    CHECK(compare_reports(simulated, other, "stored").size() ==
          (changed.execution.counted ? 1 : 0));
  }
  CHECK(after([](PhaseReport& phase) { ++phase.contention; }) ==
        std::vector<std::string>{"phase 1 (copy_back): contention 0 simulated, 1 stored"});
}

TEST_CASE("a different number of phases or T_tot is a difference", "[validation][counts]") {
  RunReport other = report();
  other.phases.pop_back();
  ++other.time_total_max;
  const auto differences = compare_reports(report(), other, "derived");
  REQUIRE(differences.size() == 2);
  CHECK(differences.front() == "phases: 2 simulated, 1 derived");
}
