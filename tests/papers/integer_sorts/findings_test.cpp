#include <string>
#include <vector>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/papers/integer_sorts/detail/finding_judges_json.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim {
namespace {

using Catch::Matchers::ContainsSubstring;

std::vector<detail::StatedFinding<detail::Judge>> load(const std::string& members) {
  const test::TempFolder folder;
  test::put(folder / "findings.json", fmt::format(R"({{"schema": 1, "findings": [
                             {{"section": "1", "statement": "s", {}}}]}})",
                                                  members));
  return detail::load_findings(folder / "findings.json", detail::judge_kinds());
}

/// Rows at n = 1 and 2 of delta = 1 and 50: CUB takes n ms, H-P takes `hp` ms, 0-compressed 9 ms.
std::vector<ExperimentRow> rows_with(double hp) {
  std::vector<ExperimentRow> rows;
  for (const double delta : {1.0, 50.0}) {
    for (const std::int64_t n : {1, 2}) {
      ExperimentRow row{.cell = {.family = "f"}};
      row.cell.panel = fmt::format("delta = {}", delta);
      row.cell.n = n;
      row.cell.delta = delta;
      const auto add = [&](const char* team, const char* sort, double ms) {
        contest::PlannedRun run;
        run.contestant.team = team;
        run.contestant.label = sort;
        run.measured = Measurement{ms, 0, 0, 1, ""};
        row.entries.push_back(run);
      };
      add(team::cub, "CUB", static_cast<double>(n));
      add(team::seed, "H-P", hp);
      add(team::seed, "0-compressed", 9);
      rows.push_back(row);
    }
  }
  return rows;
}

Judgement judged(const std::string& members, const std::vector<ExperimentRow>& rows) {
  detail::Selection all;
  for (const ExperimentRow& row : rows) all.push_back(&row);
  return load(members).front().judge(all, detail::finding_times().front());
}

TEST_CASE("a finding of a known kind is a line of its file", "[experiment]") {
  const std::vector<ExperimentRow> rows = rows_with(1.5);
  const Judgement everywhere = judged(R"("judge": "fastest", "sort": "H-P")", rows);
  CHECK(everywhere.checked == 4);
  CHECK(everywhere.held == 2);  // CUB takes 1 ms at n = 1
  const std::string about = R"("about": [{"family": "f", "delta": [2, null], "n": 2}], )";
  const Judgement there = judged(about + R"("judge": "fastest", "sort": "H-P")", rows);
  CHECK(there.verdict == Verdict::holds);
  CHECK(there.checked == 1);
  CHECK(there.numbers == "H-P is fastest at: delta = 50: 2e-06 M");
  const std::string either = R"("about": [{"family": "f", "n": 1}, {"family": "f", "delta": 1}], )";
  CHECK(judged(either + R"("judge": "not_fastest", "sort": "H-P")", rows).checked == 3);
  CHECK(judged(R"("judge": "fastest", "sort": "H-P", "from": 2)", rows).held == 4);
  CHECK(
      judged(R"("about": [{"family": "g"}], "judge": "overtakes", "sort": "CUB")", rows).verdict ==
      Verdict::unknown);
  const std::string both = R"("sorts": ["H-P", "0-compressed"], "than": "CUB")";
  CHECK(judged(R"("judge": "any_faster", )" + both, rows).held == 2);
  CHECK(judged(R"("judge": "all_faster", )" + both, rows).held == 0);
}

TEST_CASE("a file of findings with an error names the finding", "[experiment]") {
  CHECK(load(R"("judge": "overtakes", "sort": "CUB")").size() == 1);
  const auto refused = [](const std::string& members, const std::string& why) {
    CAPTURE(members);
    CHECK_THROWS_AS(load(members), FileError);
    CHECK_THROWS_WITH(load(members),
                      ContainsSubstring("findings.json: finding 1: ") && ContainsSubstring(why));
  };
  refused(R"("judge": "best", "sort": "CUB")", "no kind of judge");
  refused(R"("judge": "overtakes")", "'sort'");
  refused(R"("judge": "overtakes", "sort": "CUB", "form": 2)", "'form' is unknown");
  refused(R"("judge": "falls", "sort": "CUB", "along": "speed")", "'speed'");
  refused(R"("judge": "overtakes", "sort": "CUB", "about": [{"delta": 1}])", "'family'");
  refused(R"("judge": "overtakes", "sort": "CUB", "about": [{"family": "f", "size": 1}])",
          "'size'");
  refused(R"("judge": "overtakes", "sort": "CUB", "about": [{"family": "f", "n": [1]}])",
          "neither a number nor two ends");
  refused(R"("judge": "fastest_more_often", "sort": "CUB", "along": "n", "values": [])",
          "'values' is not a list");
}

}  // namespace
}  // namespace agpusim
