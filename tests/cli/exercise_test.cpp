// Exercises: the gap is not enough, solutions get all marks, typical wrong answers lose the mark
// that their first line names.
#include <filesystem>
#include <fstream>
#include <string>

#include "agpusim/tests/cli/process.hpp"
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

void check(const std::string& exercise) {
  const Finished gap = grade(exercise, exercises / exercise / "exercise.hpp");
  CAPTURE(gap.out, gap.err);
  CHECK(gap.exit_code == 7);
  const Finished solution = grade(exercise, exercises / exercise / "solution.hpp");
  CAPTURE(solution.out, solution.err);
  CHECK(solution.exit_code == 0);
  CHECK_THAT(solution.out, ContainsSubstring("3 of 3\n"));
  int wrong = 0;
  for (const auto& entry : std::filesystem::directory_iterator(exercises / exercise)) {
    if (!entry.path().filename().string().starts_with("wrong_")) continue;
    ++wrong;
    const Finished marked = grade(exercise, entry.path());
    CAPTURE(entry.path().string(), marked.out, marked.err);
    CHECK(marked.exit_code == 7);
    for (const std::string mark : {"result", "legality", "cost"}) {
      const bool lost = marked.out.find("\n" + mark + std::string(11 - mark.size(), ' ') +
                                        "WRONG: ") != std::string::npos;
      CHECK(lost == (mark == expected_mark(entry.path())));
    }
  }
  CHECK(wrong >= 2);
}

}  // namespace

TEST_CASE("exercise reverse", "[cli][exercise]") { check("reverse"); }
TEST_CASE("exercise transpose", "[cli][exercise]") { check("transpose"); }
TEST_CASE("exercise pram_or", "[cli][exercise]") { check("pram_or"); }
TEST_CASE("exercise pram_scan", "[cli][exercise]") { check("pram_scan"); }

TEST_CASE("an exercise is listed, started once and marked for line and lane", "[cli][exercise]") {
  const TemporaryFolder folder;
  CHECK_THAT(run_cli("exercise list").out, ContainsSubstring("\npram_scan  EREW"));
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
