#include "agpusim/validation/counts/compare_reports.hpp"

#include <cstring>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/members.hpp"
#include "agpusim/validation/counts/count_fields.hpp"

using namespace agpusim;

namespace {

const RunReport& report() {
  static const RunReport value = test::fake_report(test::fake_config(1000));
  return value;
}

/// The differences after `change` was applied to phase 1.
template <class F>
std::vector<std::string> after(F change) {
  RunReport other = report();
  change(other.phases.at(1));
  return compare_reports(report(), other, "stored").wrong;
}

}  // namespace

TEST_CASE("a report equals itself", "[validation][counts]") {
  CHECK(compare_reports(report(), report(), "stored").wrong.empty());
  CHECK(compare_reports(report(), report(), "stored").near.empty());
}

TEST_CASE("every field of the counts is compared", "[validation][counts][ruler]") {
  for (std::size_t i = 0; i < detail::count_fields.size(); ++i) {
    const auto differences = after([&](PhaseReport& phase) {
      // The i-th integer of the struct: independent of the accessors under test.
      std::int64_t value = 0;
      char* const at = reinterpret_cast<char*>(&phase.counts) + i * sizeof(value);
      std::memcpy(&value, at, sizeof(value));
      ++value;
      std::memcpy(at, &value, sizeof(value));
    });
    const std::string name(detail::count_fields.at(i).name);
    INFO(name);
    REQUIRE(differences.size() == 1);
    CHECK_THAT(differences.front(), says("phase 1 (copy_back): " + name + " "));
  }
}

TEST_CASE("every number of a phase is compared", "[validation][counts]") {
  RunReport simulated = report();
  simulated.phases.at(1) = test::filled<PhaseReport>();
  for (const PhaseReport& changed : test::changed_copies(simulated.phases[1])) {
    RunReport other = simulated;
    other.phases[1] = changed;
    CAPTURE(test::leaves(changed));
    const CountDifferences differences = compare_reports(simulated, other, "stored");
    // Without an execution there is none to compare.
    CHECK(differences.wrong.size() + differences.near.size() ==
          (changed.execution.counted ? 1 : 0));
  }
  CHECK(after([](PhaseReport& phase) { ++phase.contention; }) ==
        std::vector<std::string>{"phase 1 (copy_back): contention 0 simulated, 1 stored"});
}

TEST_CASE("a different number of phases or T_tot is a difference", "[validation][counts]") {
  RunReport other = report();
  other.phases.pop_back();
  ++other.time_total_max;
  const auto differences = compare_reports(report(), other, "derived").wrong;
  REQUIRE(differences.size() == 2);
  CHECK(differences.front() == "phases: 2 simulated, 1 derived");
}

TEST_CASE("misses and lone times may differ by a few reads or a tenth, what is executed may not",
          "[validation][counts]") {
  struct Row {
    void (*change)(Execution&);
    bool near;
    const char* says;
  };
  const Row rows[] = {
      {[](auto& e) { e.misses += 32; }, true, "misses 1000 simulated, 1032 derived"},
      {[](auto& e) { e.misses += 100; }, true, "misses 1000 simulated, 1100 derived"},
      {[](auto& e) { e.misses += 200; }, false, "misses 1000 simulated, 1200 derived"},
      {[](auto& e) { e.lone[2] += 900 * 20; }, true, "time of lone tasks in 1/20 cycles"},
      {[](auto& e) { ++e.operations[3]; }, false, "operations 0 simulated, 1 derived"},
      {[](auto& e) { ++e.read_sectors[1]; }, false, "sectors read 0 simulated, 1 derived"}};
  for (const Row& row : rows) {
    CAPTURE(row.says);
    RunReport simulated = report();
    simulated.phases[1].execution.counted = true;
    simulated.phases[1].execution.total.misses = 1000;
    RunReport derived = simulated;
    row.change(derived.phases[1].execution.total);
    const CountDifferences found = compare_reports(simulated, derived, "derived");
    CHECK(found.near.size() == (row.near ? 1 : 0));
    CHECK(found.wrong.size() == (row.near ? 0 : 1));
    const std::string text = row.near ? found.remark() : found.fault();
    CHECK_THAT(text, says("phase 1 (copy_back): of a prediction alone, ", row.says,
                          "T, Q, sectors and all other counts are equal"));
    // Lines of a cache are not whole blocks: misses are then derived as they come.
    simulated.spec.block_words = derived.spec.block_words = 12;
    if (row.says[0] == 'm') CHECK(compare_reports(simulated, derived, "derived").wrong.empty());
  }
}
