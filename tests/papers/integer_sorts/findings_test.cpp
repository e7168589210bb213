#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/papers/integer_sorts/experiment.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim {
namespace {

/// Inputs of delta = 1 and 50 at n = 1 and 2: CUB takes n ms, H-P 1.5 ms, 0-compressed 9 ms.
std::vector<contest::Event> some_inputs() {
  std::vector<contest::Event> inputs;
  for (const double delta : {1.0, 50.0}) {
    for (const std::int64_t n : {1, 2}) {
      contest::Event& input = inputs.emplace_back();
      input.panel.family = "f";
      input.panel.name = fmt::format("delta = {}", delta);
      input.panel.keys.delta = delta;
      input.n = n;
      const auto add = [&](const char* team, const char* sort, double ms) {
        contest::PlannedRun& run = input.runs.emplace_back();
        run.contestant.team = team;
        run.contestant.label = sort;
        run.measured = Measurement{ms, 0, 0, 1, ""};
      };
      add(team::cub, "CUB", static_cast<double>(n));
      add(team::seed, "H-P", 1.5);
      add(team::seed, "0-compressed", 9);
    }
  }
  return inputs;
}

/// What the paper's programs say about a finding of the inputs.
Judgement judged(const std::string& members) {
  const test::TempFolder folder;
  test::put(folder / "findings.json", fmt::format(R"({{"schema": 1, "findings": [
                             {{"section": "1", "statement": "s", {}}}]}})",
                                                  members));
  return integer_sorts_findings(some_inputs(), folder / "findings.json").front().judgements.front();
}

TEST_CASE("a finding of a known kind is a line of its file", "[experiment]") {
  const Judgement everywhere = judged(R"("judge": "fastest", "sort": "H-P")");
  CHECK(everywhere.checked == 4);
  CHECK(everywhere.held == 2);  // CUB takes 1 ms at n = 1
  const std::string about = R"("about": [{"family": "f", "delta": [2, null], "n": 2}], )";
  const Judgement there = judged(about + R"("judge": "fastest", "sort": "H-P")");
  CHECK(there.verdict == Verdict::holds);
  CHECK(there.checked == 1);
  CHECK(there.numbers == "H-P is fastest at: delta = 50: 2e-06 M");
  const std::string either = R"("about": [{"family": "f", "n": 1}, {"family": "f", "delta": 1}], )";
  CHECK(judged(either + R"("judge": "not_fastest", "sort": "H-P")").checked == 3);
  CHECK(judged(R"("judge": "fastest", "sort": "H-P", "from": 2)").held == 4);
  CHECK(judged(R"("about": [{"family": "g"}], "judge": "overtakes", "sort": "CUB")").verdict ==
        Verdict::unknown);
  const std::string both = R"("sorts": ["H-P", "0-compressed"], "than": "CUB")";
  CHECK(judged(R"("judge": "any_faster", )" + both).held == 2);
  CHECK(judged(R"("judge": "all_faster", )" + both).held == 0);
}

TEST_CASE("a file of findings with an error names the finding", "[experiment]") {
  CHECK_NOTHROW(judged(R"("judge": "overtakes", "sort": "CUB")"));
  const auto refused = [](const std::string& members, const std::string& why) {
    CAPTURE(members);
    CHECK_THROWS_AS(judged(members), FileError);
    CHECK_THROWS_WITH(judged(members), says("findings.json: finding 1: ", why));
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
          "'values' is empty");
}

}  // namespace
}  // namespace agpusim
