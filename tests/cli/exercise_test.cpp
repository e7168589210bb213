// Exercises: the gap is not enough, solutions get all marks, typical wrong answers lose the mark
// that wrong.diff names.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "agpusim/cli/exercise_table.hpp"
#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/answers.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

using namespace agpusim::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

std::vector<Answer> all_answers() {
  std::vector<Answer> all;
  add_answers_1(all);
  add_answers_2(all);
  add_answers_3(all);
  add_answers_4(all);
  return all;
}

Finished grade(const std::string& exercise, const std::string& name,
               const std::string& options = "") {
  for (const Answer& answer : all_answers()) {
    if (answer.exercise == exercise && answer.name == name) {
      return run_cli("exercise grade " + answer.file + " --as " + exercise + options);
    }
  }
  FAIL("there is no answer " << exercise << "/" << name);
  return {};
}

}  // namespace

TEST_CASE("solutions get all marks, a gap does not, and a wrong answer loses the mark it says",
          "[cli][exercise]") {
  std::map<std::string, int> wrong;
  for (const Answer& answer : all_answers()) {
    const agpusim::exercise::Marks marks =
        mark(agpusim::find_exercise(answer.exercise), 1, answer.ask);
    CAPTURE(answer.exercise, answer.name, marks.text());
    CHECK(marks.name == answer.exercise);
    CHECK(marks.runs > 0);
    if (answer.lost == "none") {
      CHECK(marks.given() == 3);
    } else if (answer.lost == "any") {
      CHECK(marks.given() < 3);
    } else {
      if (answer.lost != "legality") CHECK(marks.result.empty() == (answer.lost != "result"));
      CHECK(marks.legality.empty() == (answer.lost != "legality"));
      CHECK((marks.right() && !marks.cost.empty()) == (answer.lost == "cost"));
      if (answer.lost == "cost") CHECK(marks.cost != marks.fewer);
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
  const TempFolder folder;
  CHECK_THAT(run_cli("exercise list").out,
             ContainsSubstring("prefix sums with one reader of each cell"));
  const std::string there = "cd " + folder.path().string() + " && $AGPUSIM exercise ";
  CHECK(shell(there + "start reverse").exit_code == 0);
  CHECK(shell(there + "start reverse").exit_code == 2);
  CHECK(shell(there + "start nothing").exit_code == 2);
  CHECK_THAT(shell("touch " + folder.file("ann.hpp") + "; " + there + "grade ann.hpp").err,
             ContainsSubstring("--as"));
  const Finished none = shell("CXX= PATH=/nonexistent " + std::string() +
                              "$AGPUSIM exercise grade " + folder.file("reverse.hpp"));
  CAPTURE(none.out, none.err);
  CHECK(none.exit_code == 6);
  std::ofstream(folder.file("reverse.hpp")) << "this is no C++;\n";
  const Finished broken = shell(there + "grade reverse.hpp");
  CAPTURE(broken.err);
  CHECK(broken.exit_code == 7);
  CHECK_THAT(broken.err, StartsWith("reverse.hpp:1:1: error: "));
  CHECK_THAT(broken.err, ContainsSubstring("reverse.hpp does not compile"));
  const Finished rows = grade("reverse", "wrong_rows");
  CHECK_THAT(rows.out, ContainsSubstring("must be "));
  CHECK_THAT(rows.out, ContainsSubstring("written by lane "));
  CHECK_THAT(rows.out, ContainsSubstring(" at wrong_rows.hpp:"));
  const Finished scattered =
      grade("reverse", "wrong_scattered", " --csv --html " + folder.file("marks.html"));
  CHECK(scattered.exit_code == 7);
  CHECK_THAT(scattered.out, ContainsSubstring("exercise,seed,marks,mark,given,wrong\n"
                                              "reverse,1,2,result,true,\n"
                                              "reverse,1,2,legality,true,\n"
                                              "reverse,1,2,cost,false,"));
  CHECK_THAT(scattered.out, ContainsSubstring("wrong_scattered.hpp:"));
  CHECK_THAT(agpusim::read_file(folder.file("marks.html")), ContainsSubstring("exercise reverse"));
}

TEST_CASE("of an answer that does not compile one sees the line, the remedy and no mark",
          "[cli][exercise]") {
  const TempFolder folder;
  struct Wrong {
    const char* line;
    const char* remedy;
  };
  const Wrong all[] = {{"if (first + mp.lane() < n) return;", "cast an operand first, as in cast"},
                       {"if (mp.lane() < 5) return;", "mp.when(condition"},
                       {"out[mp.lane()] = in[mp.lane()];", "in.read(index)"},
                       {"auto x = mp.template shared<std::string>(5);", "LaneScalar"}};
  for (const Wrong& wrong : all) {
    CAPTURE(wrong.line);
    std::ofstream(folder.file("my answer.hpp"))
        << "struct Reverse {\n  static constexpr const char* name = \"reverse\";\n"
        << "  std::int64_t n;\n  template <class Mp, class View>\n"
        << "  void operator()(Mp& mp, View in, View out) const {\n"
        << "    const std::int64_t first = mp.task() * mp.width();\n    " << wrong.line
        << "\n  }\n};\n";
    const Finished graded =
        run_cli("exercise grade '" + folder.file("my answer.hpp") + "' --as reverse --json");
    CAPTURE(graded.out, graded.err);
    CHECK(graded.exit_code == 7);
    CHECK_THAT(graded.err, StartsWith("my answer.hpp:7:"));
    CHECK_THAT(graded.err, ContainsSubstring(wrong.remedy));
    CHECK(std::count(graded.err.begin(), graded.err.end(), '\n') <= 5);
    const auto json = nlohmann::json::parse(graded.out);
    CHECK(json["marks"] == 0);
    CHECK_THAT(json["of"][0]["wrong"].get<std::string>(), ContainsSubstring(wrong.remedy));
  }
  // The answer is empty: the error is the grader's, and the compiler's words need not be UTF-8.
  std::ofstream(folder.file("reverse.hpp")) << "#warning \xff\n";
  const Finished empty = run_cli("exercise grade " + folder.file("reverse.hpp") + " --json");
  CAPTURE(empty.out, empty.err);
  CHECK_THAT(empty.err, StartsWith("error: 'Reverse' was not declared"));
  CHECK(nlohmann::json::parse(empty.out)["marks"] == 0);
}

TEST_CASE("an answer that ends the grading program gets no marks, and Ctrl-C is no answer",
          "[cli][exercise]") {
  const TempFolder folder;
  std::ofstream(folder.file("reverse.hpp")) << "// an answer\n";
  struct Ending {
    const char* compiler;  ///< what it does in place of compiling
    const char* program;   ///< what it makes
    int exit_code;
  };
  const Ending endings[] = {{"", "exit 0", 7},       {"", "exit 1", 7},         {"", "exit 100", 7},
                            {"", "kill -INT $$", 7}, {"kill -INT $$", "", 130}, {"exit 1", "", 7}};
  for (const Ending& ending : endings) {
    CAPTURE(ending.compiler, ending.program);
    std::ofstream(folder.file("cxx"))
        << "#!/bin/sh\n"
        << ending.compiler << "\nuntil [ \"$1\" = -o ]; do shift; done\n"
        << "printf '#!/bin/sh\\n%s\\n' '" << ending.program << "' >\"$2\"; chmod +x \"$2\"\n";
    std::filesystem::permissions(folder.file("cxx"), std::filesystem::perms::owner_all);
    const Finished graded =
        shell("CXX=" + folder.file("cxx") + " TMPDIR=" + folder.path().string() +
              " $AGPUSIM exercise grade " + folder.file("reverse.hpp"));
    CAPTURE(graded.out, graded.err);
    CHECK(graded.exit_code == ending.exit_code);
    CHECK(graded.err.empty() == (ending.exit_code != 7));
  }
  std::filesystem::remove(folder.file("cxx"));
  std::filesystem::remove(folder.file("reverse.hpp"));
  CHECK(std::filesystem::is_empty(folder.path()));
}
