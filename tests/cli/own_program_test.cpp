// What kernels say of their cost is checked by every command that derives counts:
// tests/own_program/main.cpp has the rows.

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim::test;

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
      CHECK_THAT(finished.err, says("task_class()"));
      CHECK(finished.err == message);
    }
  }
  // Fewer tasks than a dozen: those of the n that is asked for, too.
  check_refused(run_own("why border --n 160"), 7, "border with n = 160: ");
  CHECK(run_own("why border --n 128").exit_code == 0);
  // What is right of other rows is printed.
  const Finished both = run_own("sweep vector_add border --n 2^24 --threads 1");
  CHECK(both.exit_code == 7);
  CHECK_THAT(both.out, says("vector_add"));
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
    CHECK_THAT(finished.out, says("derived"));
  }
  CHECK(run_own("compare classed vector_add --n 2^20").exit_code == 0);
  CHECK_THAT(run_own("sweep wrong_below_4096 --n 2^12").out, says("1 simulated"));
  const Finished large = run_own("why wrong_below_4096 --n 2^36");
  check_refused(large, 2, "`oblivious`");
  CHECK_THAT(large.err, says("task_class()"));
}

TEST_CASE("run and sweep --verify compare the same counts and say what differs", "[cli][own]") {
  // Task 1, from which the others are derived, reads one block twice in the second phase.
  const std::string misses = "phase 1 (with_row): of a prediction alone, misses ";
  const Finished run = run_own("run with_row --n 2^12");
  CHECK(run.exit_code == 7);
  CHECK_THAT(run.out, says("derived      DIFFERENT\n             " + misses));
  for (const std::string part : {"T, Q, sectors and all other counts are equal", "task_class()"}) {
    CHECK_THAT(run.err, says(part));
  }
  const Finished swept = run_own("sweep with_row with_row_classed --n 2^9..2^12 --verify");
  CHECK(swept.exit_code == 7);
  CHECK_THAT(swept.out, says("8 points: 8 simulated"));
  CHECK_THAT(swept.err, says("2048, 4096: " + misses));
  CHECK_THAT(swept.out, says("with_row with n = 2^12 on AGPU"));
  const std::string values = run.err.substr(run.err.find(misses));
  CHECK_THAT(run_own("sweep with_row --n 2^12 --verify").err, says(values));
  CHECK_THAT(run_own("compare with_row late --n 2^12 --simulate").err, says(values));
  // In the third phase a few reads are missed, which is said and no fault.
  for (const std::string command : {"run with_row_2 --n 2^12", "sweep with_row_2 --n 2^12 --verify",
                                    "compare with_row_2 late --n 2^11 --simulate"}) {
    CAPTURE(command);
    const Finished near = run_own(command);
    CHECK(near.exit_code == 0);
    CHECK_THAT(near.out,
               says("phase 0 (with_row): of a prediction alone, ", "a task_class() mends this"));
  }
  const Finished classed = run_own("run with_row_classed --n 2^12");
  CHECK(classed.exit_code == 0);
  CHECK_THAT(classed.out, !says("of a prediction alone"));
}

TEST_CASE("a bound that is undercut and a formula that differs end every command that prints them",
          "[cli][own]") {
  const TempFolder folder;
  const std::string points = folder.file("points.jsonl");
  struct Row {
    std::string command;
    const char* part;  ///< none: it ends with 0
  };
  const char* const bound = "is BROKEN: the run pays 256";
  const char* const formula =
      "misformed with n = 1024: the formula of Q gives 65: DIFFERENT, the run pays 64";
  for (const Row& row : {Row{"sweep overstated --n 2^10..2^13 --out " + points, bound},
                         {"merge " + points, bound},
                         {"sweep overstated --n 2^10..2^13 --verify", bound},
                         {"compare overstated late --n 2^10..2^13", bound},
                         {"run overstated --n 2^12", "Q >= 384 [a guess] is BROKEN"},
                         {"run overstated --n 2^11", nullptr},
                         {"sweep overstated --n 2^5..2^11", nullptr},
                         {"sweep misformed --n 2^5..2^13", formula},
                         {"compare misformed late --n 2^8..2^13", formula},
                         {"run misformed --n 2^10", formula},
                         {"run misformed --n 2^9", nullptr},
                         {"run misformed --n 2^11", nullptr}}) {
    CAPTURE(row.command);
    const Finished finished = run_own(row.command);
    CHECK(finished.exit_code == (row.part == nullptr ? 0 : 7));
    CHECK_THAT(finished.err, says(row.part == nullptr ? "" : row.part));
    CHECK(finished.err.empty() == (row.part == nullptr));
    CHECK_FALSE(finished.out.empty());
  }
}

TEST_CASE("points before one with a wrong result are printed", "[cli][own]") {
  const TempFolder folder;
  const Finished finished = run_own("sweep wrong_below_4096 --n 2^10..2^14 --threads 1 --out " +
                                    folder.file("points.jsonl"));
  CAPTURE(finished.out, finished.err);
  CHECK(finished.exit_code == 7);
  CHECK_THAT(finished.out, says("3 points: 3 simulated"));
  CHECK_THAT(finished.err, says("wrong_below_4096 with n = 2048"));
  CHECK_THAT(finished.err, !says("defect"));
  CHECK_THAT(run_own("merge " + folder.file("points.jsonl")).out, says("3 points"));
}

TEST_CASE("a step program of one's own is counted by every command, and compared with its form",
          "[cli][own][pram]") {
  const Finished unstated = run_own("pram unstated_steps --n 100");
  CHECK(unstated.exit_code == 0);
  CHECK_THAT(unstated.out, says("CREW PRAM", "closed form  none is stated"));
  CHECK_THAT(run_own("pram unstated_steps --n 100 --json").out, says("\"closed_form\": null"));
  CHECK_THAT(run_own("pram unstated_steps --n 64 --all-variants").out, says("right, no form"));
  CHECK_THAT(run_own("pram unstated_steps --n 64 --work-span").out, says("64.00  work / span"));
  const Finished swept = run_own("sweep pram/unstated_steps --n 2^4..2^9 --fit");
  CHECK_THAT(swept.out, says("work ~ n  (exact", "6 points: 6 simulated"));
  CHECK_THAT(run_own("step unstated_steps --pram --n 8").out, says("read x[7] = 1"));
  check_refused(run_own("step unstated_steps --pram --n 100 --limit 99"), 2, "has 100 operations");

  const Finished misstated = run_own("pram misstated_steps --n 100");
  CHECK(misstated.exit_code == 7);
  CHECK_THAT(misstated.out, says("DIFFERENT: steps: 1, closed form 2"));
  CHECK_THAT(run_own("sweep pram/misstated_steps --n 100").out, says("closed form"));
  check_refused(run_own("sweep pram/misstated_steps --n 100 --verify"), 7, "steps: 1");
  const Finished wrong = run_own("sweep pram/wrong_below_64 --n 2^4..2^8 --threads 1");
  CHECK(wrong.exit_code == 7);
  CHECK_THAT(wrong.out, says("3 points: 3 simulated"));
  CHECK_THAT(wrong.err, says("pram/wrong_below_64:plain with n = 32"));
}
