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
