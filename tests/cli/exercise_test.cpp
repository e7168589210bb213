// Exercises: the gap is not enough, solutions get all marks, typical wrong answers lose the mark
// that their first line names.
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/answers.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim::test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::filesystem::path exercises = std::filesystem::path(AGPUSIM_TEST_DIR) / "../exercises";

Finished grade(const std::string& exercise, const std::filesystem::path& answer) {
  return run_cli("exercise grade " + answer.string() + " --as " + exercise);
}

/// What the first line says: "result", "legality" or "cost".
std::string expected_mark(const std::filesystem::path& answer) {
  std::ifstream file(answer);
  std::string line;
  std::getline(file, line);
  const std::string mark = "Expected: WRONG ";
  const std::size_t at = line.find(mark);
  REQUIRE(at != std::string::npos);
  return line.substr(at + mark.size(), line.find('.', at) - at - mark.size());
}

std::vector<Answer> all_answers() {
  std::vector<Answer> all;
  add_answers_1(all);
  add_answers_2(all);
  add_answers_3(all);
  add_answers_4(all);
  return all;
}

}  // namespace

TEST_CASE("solutions get all marks, a gap does not, and a wrong answer loses the mark it says",
          "[cli][exercise]") {
  std::map<std::string, int> wrong;
  for (const Answer& answer : all_answers()) {
    const agpusim::exercise::Marks marks = answer.mark();
    CAPTURE(answer.exercise, answer.name, marks.text());
    CHECK(marks.name == answer.exercise);
    CHECK(marks.runs > 0);
    if (answer.name == "solution") {
      CHECK(marks.given() == 3);
    } else if (answer.name == "exercise") {
      CHECK(marks.given() < 3);
    } else {
      const std::string lost = expected_mark(exercises / answer.exercise / (answer.name + ".hpp"));
      CHECK(marks.result.empty() == (lost != "result"));
      CHECK(marks.legality.empty() == (lost != "legality"));
      CHECK((marks.right() && !marks.cost.empty()) == (lost == "cost"));
      ++wrong[answer.exercise];
    }
  }
  const Finished list = run_cli("exercise list");
  for (const auto& [exercise, count] : wrong) {
    CAPTURE(exercise);
    CHECK(count >= 2);
    CHECK_THAT(list.out, ContainsSubstring("\n" + exercise + " "));
  }
}

TEST_CASE("an exercise is listed, started once and marked for line and lane", "[cli][exercise]") {
  const TemporaryFolder folder;
  CHECK_THAT(run_cli("exercise list").out,
             ContainsSubstring("prefix sums with one reader of each cell"));
  const std::string there = "cd " + folder.path().string() + " && $AGPUSIM exercise ";
  CHECK(shell(there + "start reverse").exit_code == 0);
  CHECK(shell(there + "start reverse").exit_code == 2);
  CHECK(shell(there + "start nothing").exit_code == 2);
  const Finished none = shell("CXX= PATH=/nonexistent " + std::string() +
                              "$AGPUSIM exercise grade " + folder.file("reverse.hpp"));
  CAPTURE(none.out, none.err);
  CHECK(none.exit_code == 6);
  std::ofstream(folder.file("reverse.hpp")) << "this is no C++;\n";
  const Finished broken = shell(there + "grade reverse.hpp");
  CAPTURE(broken.err);
  CHECK(broken.exit_code == 7);
  CHECK_THAT(broken.err, ContainsSubstring("does not compile"));
  const Finished rows = grade("reverse", exercises / "reverse/wrong_rows.hpp");
  CHECK_THAT(rows.out, ContainsSubstring("must be "));
  CHECK_THAT(rows.out, ContainsSubstring("written by lane "));
  CHECK_THAT(rows.out, ContainsSubstring(" at wrong_rows.hpp:"));
  const Finished scattered = grade("reverse", exercises / "reverse/wrong_scattered.hpp");
  CHECK_THAT(scattered.out, ContainsSubstring("wrong_scattered.hpp:"));
}
