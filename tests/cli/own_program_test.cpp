// What kernels say of their cost is checked by every command that derives counts:
// tests/own_program/main.cpp has the rows.
#include <string>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim::test;
using Catch::Matchers::ContainsSubstring;

namespace {

Finished run_own(const std::string& arguments) {
  return shell("'" AGPUSIM_OWN_PROGRAM_PATH "' " + arguments);
}

}  // namespace

TEST_CASE("a kernel that is wrong about its cost is refused by every command that derives",
          "[cli][own]") {
  for (const std::string row : {"border", "ill_classed", "by_steps"}) {
    const std::string message = run_own("why " + row + " --n 2^20").err;
    for (const std::string& command :
         {"why " + row + " --n 2^20", "run " + row + " --n 2^14",
          "sweep " + row + " --n 2^10..2^20", "compare vector_add " + row + " --n 2^16,2^20",
          "sweep " + row + " --n 2^28 --machine h200"}) {
      CAPTURE(command);
      const Finished finished = run_own(command);
      check_refused(finished, 7, "is not `oblivious`");
      CHECK_THAT(finished.err, ContainsSubstring("task_class()"));
      CHECK(finished.err == message);
    }
  }
  // Fewer tasks than a dozen: those of the n that is asked for, too.
  check_refused(run_own("why border --n 160"), 7, "border with n = 160: ");
  CHECK(run_own("why border --n 128").exit_code == 0);
  // What is right of other rows is printed.
  const Finished both = run_own("sweep vector_add border --n 2^24 --threads 1");
  CHECK(both.exit_code == 7);
  CHECK_THAT(both.out, ContainsSubstring("vector_add"));
}

TEST_CASE("a kernel that is right about its cost is derived, and one that is silent simulated",
          "[cli][own]") {
  for (const std::string command :
       {"why classed --n 2^26", "sweep classed --n 1,31,2^10..2^26 --b 16,32",
        "sweep classed --n 1000003"}) {
    CAPTURE(command);
    const Finished finished = run_own(command);
    CAPTURE(finished.err);
    CHECK(finished.exit_code == 0);
    CHECK_THAT(finished.out, ContainsSubstring("derived"));
  }
  CHECK(run_own("compare classed vector_add --n 2^20").exit_code == 0);
  CHECK_THAT(run_own("sweep wrong_below_4096 --n 2^12").out, ContainsSubstring("1 simulated"));
  const Finished large = run_own("why wrong_below_4096 --n 2^36");
  check_refused(large, 2, "`oblivious`");
  CHECK_THAT(large.err, ContainsSubstring("task_class()"));
}

TEST_CASE("points before one with a wrong result are printed", "[cli][own]") {
  const TempFolder folder;
  const Finished finished = run_own("sweep wrong_below_4096 --n 2^10..2^14 --threads 1 --out " +
                                    folder.file("points.jsonl"));
  CAPTURE(finished.out, finished.err);
  CHECK(finished.exit_code == 7);
  CHECK_THAT(finished.out, ContainsSubstring("3 points: 3 simulated"));
  CHECK_THAT(finished.err, ContainsSubstring("wrong_below_4096 with n = 2048"));
  CHECK_THAT(finished.err, !ContainsSubstring("defect"));
  CHECK_THAT(run_own("merge " + folder.file("points.jsonl")).out, ContainsSubstring("3 points"));
}

TEST_CASE("a step program of one's own is counted by every command, and compared with its form",
          "[cli][own][pram]") {
  const Finished unstated = run_own("pram unstated_steps --n 100");
  CHECK(unstated.exit_code == 0);
  CHECK_THAT(unstated.out, ContainsSubstring("CREW PRAM"));
  CHECK_THAT(unstated.out, ContainsSubstring("closed form  none is stated"));
  CHECK_THAT(run_own("pram unstated_steps --n 100 --json").out,
             ContainsSubstring("\"closed_form\": null"));
  CHECK_THAT(run_own("pram unstated_steps --n 64 --all-variants").out,
             ContainsSubstring("right, no form"));
  CHECK_THAT(run_own("pram unstated_steps --n 64 --work-span").out,
             ContainsSubstring("64.00  work / span"));
  const Finished swept = run_own("sweep pram/unstated_steps --n 2^4..2^9 --fit");
  CHECK_THAT(swept.out, ContainsSubstring("work ~ n  (exact"));
  CHECK_THAT(swept.out, ContainsSubstring("6 points: 6 simulated"));
  CHECK_THAT(run_own("step unstated_steps --pram --n 8").out, ContainsSubstring("read x[7] = 1"));
  check_refused(run_own("step unstated_steps --pram --n 100 --limit 99"), 2, "has 100 operations");

  const Finished misstated = run_own("pram misstated_steps --n 100");
  CHECK(misstated.exit_code == 7);
  CHECK_THAT(misstated.out, ContainsSubstring("DIFFERENT: steps: 1, closed form 2"));
  CHECK_THAT(run_own("sweep pram/misstated_steps --n 100").out, ContainsSubstring("closed form"));
  check_refused(run_own("sweep pram/misstated_steps --n 100 --verify"), 7, "steps: 1");
  const Finished wrong = run_own("sweep pram/wrong_below_64 --n 2^4..2^8 --threads 1");
  CHECK(wrong.exit_code == 7);
  CHECK_THAT(wrong.out, ContainsSubstring("3 points: 3 simulated"));
  CHECK_THAT(wrong.err, ContainsSubstring("pram/wrong_below_64:plain with n = 32"));
}
