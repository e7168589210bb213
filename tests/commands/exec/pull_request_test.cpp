#include "agpusim/commands/exec/pull_request.hpp"

#include <sstream>

#include <nlohmann/json.hpp>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/tests/validation/exec/records.hpp"

using Catch::Matchers::ContainsSubstring;

namespace agpusim::exec {
namespace {

/// A race, a condition that does not hold, and conflicts that rose.
Sheet broken() {
  LaunchRecord launch = test::launch_of("k");
  launch.findings = {test::race()};
  std::istringstream lines(to_line(launch));
  Sheet sheet;
  sheet.command = {"./a", "|"};
  sheet.program = read_report(lines);
  const Condition condition = condition_of("conflicts == 0");
  sheet.conditions = {{condition, failure_of(condition, sheet.program, {})}};
  Comparison against;
  against.kernels = {{"k", "", "", "conflicts", 0, 70}};
  against.lines = {{"k", "reduce.cu:5", "s[i | 1]", "conflicts", 0, 70, {"/src/reduce.cu", 5}},
                   {"k", "reduce.cu:6", "other", "T", 0, 70, {"/src/reduce.cu", 6}}};
  against.dearer = against.kernels;
  sheet.against = against;
  return sheet;
}

}  // namespace

TEST_CASE("a comment says what changed, what is broken and what was found", "[exec]") {
  const std::string text = to_markdown(broken());
  CAPTURE(text);
  CHECK_THAT(text, ContainsSubstring("### agpusim: findings\n\n`./a \\|`") &&
                       ContainsSubstring("- does not hold: `conflicts == 0`\n") &&
                       ContainsSubstring("| `k` |  | conflicts | 0 | 70 | from 0 |\n") &&
                       ContainsSubstring("| `k` | `reduce.cu:5 s[i \\| 1]` | conflicts |") &&
                       ContainsSubstring("- `race in shared memory at sum.hpp:5"));
  CHECK(text.find("reduce.cu:6") == std::string::npos);  // T of the kernel is what it was
  Sheet sound = broken();
  sound.program.launches[0].findings.clear();
  sound.conditions.clear();
  sound.against.reset();
  CHECK_THAT(to_markdown(sound),
             ContainsSubstring("### agpusim: passes") &&
                 ContainsSubstring("| `k` | 1 | 130 | 160 | 70 | 0 | 0.2500 |"));
}

TEST_CASE("SARIF has findings, conditions and costs at their lines", "[exec]") {
  const auto sarif = nlohmann::json::parse(to_sarif(broken(), "/src"));
  CHECK(sarif["version"] == "2.1.0");
  const auto& run = sarif["runs"][0];
  CHECK(run["tool"]["driver"]["rules"].size() == 3);
  REQUIRE(run["results"].size() == 3);
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"race in shared memory", "sum.hpp"}, {"require", "reduce.cu"}, {"against", "reduce.cu"}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& result = run["results"][i];
    CHECK(result["ruleId"] == expected[i].first);
    CHECK(result["level"] == "error");
    const auto& place = result["locations"][0]["physicalLocation"];
    CHECK(place["artifactLocation"]["uri"] == expected[i].second);
    CHECK(place["region"]["startLine"] == 5);
  }
  const auto elsewhere = nlohmann::json::parse(to_sarif(broken(), "/other"));
  CHECK(elsewhere["runs"][0]["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]
                 ["uri"] == "file:///src/reduce.cu");
}

}  // namespace agpusim::exec
