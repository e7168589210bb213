#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim::test;

TEST_CASE("sweep takes algorithms on a PRAM", "[cli][sweep]") {
  const auto json = json_of_cli("sweep pram/scan:nested sum pram/maximum:all --n 1000,2000");
  CHECK(json.at("points").size() == 2 * (1 + 1 + 4));
  CHECK(json.at("points").at(0).at("model") == "PRAM");
}

TEST_CASE("a parameter of a sweep is an axis", "[cli][sweep]") {
  const auto points = json_of_cli(
                          "sweep multiway_merge_sort:heap vector_add --n 2^10 "
                          "--set d=2..8 --machine textbook --M 1024")
                          .at("points");
  REQUIRE(points.size() == 4);  // one of the program without d
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(points[i].at("parameters").at("d") == 2 << i);
  }
}

TEST_CASE("an interrupted sweep goes on with its file, and shards merge", "[cli][sweep]") {
  const TempFolder folder;
  const std::string sweep = "sweep histogram vector_add --n 64,128,256";
  const std::string whole = run_cli(sweep + " --csv").out;
  REQUIRE(run_cli(sweep + " --shard 1/2 --out " + folder.file("1.jsonl")).exit_code == 0);
  REQUIRE(run_cli(sweep + " --shard 2/2 --out " + folder.file("2.jsonl")).exit_code == 0);
  CHECK_THAT(run_cli("merge " + folder.file("1.jsonl")).out, says("3 of the 6 points of sweep"));
  const std::string merged =
      output_of_cli("merge " + folder.file("1.jsonl") + " " + folder.file("2.jsonl") +
                    " --csv --out " + folder.file("all.jsonl"));
  CHECK(merged == whole);
  // The whole sweep finds every point in the file and adds none.
  const std::string before = shell("cat " + folder.file("all.jsonl")).out;
  CHECK(run_cli(sweep + " --csv --out " + folder.file("all.jsonl")).out == whole);
  CHECK(shell("cat " + folder.file("all.jsonl")).out == before);
}

TEST_CASE("merge keeps the runs of every option apart", "[cli][sweep]") {
  struct Other {
    std::string program;
    std::string options;
  };
  const Other others[] = {{"radix_sort", "--seed 2"},
                          {"vector_add", "--seed 2"},
                          {"transpose:tiled", "--bank-mode strict"},
                          {"multiway_merge_sort", "--assignment list"},
                          {"multiway_merge_sort", "--assignment next-fit --cap 2^30"},
                          {"gpu_warpsort", "--no-skip-empty"},
                          {"pram/hp_sort", "--set range=300"},
                          {"pram/hp_sort", "--seed 2"}};
  for (const Other& other : others) {
    CAPTURE(other.program, other.options);
    const TempFolder folder;
    const std::string a = folder.file("a.jsonl");
    const std::string b = folder.file("b.jsonl");
    const std::string sweep = "sweep " + other.program + " --n 3000 --M 2560 --p 96 --out ";
    REQUIRE(run_cli(sweep + a).exit_code == 0);
    REQUIRE(run_cli(sweep + b + " " + other.options).exit_code == 0);
    CHECK(json_of_cli("merge " + a + " " + b).at("points").size() == 2);
    // One file keeps both.
    REQUIRE(run_cli(sweep + a + " " + other.options).exit_code == 0);
    CHECK(json_of_cli("merge " + a).at("points").size() == 2);
  }
}

TEST_CASE("merge does not write over its parts", "[cli][sweep]") {
  const TempFolder folder;
  const std::string part = folder.file("a.jsonl");
  REQUIRE(run_cli("sweep vector_add --n 64 --out " + part).exit_code == 0);
  const std::string before = shell("cat " + part).out;
  REQUIRE(shell("ln -s a.jsonl " + folder.file("link.jsonl")).exit_code == 0);
  for (const char* const option : {"--out ", "--html "}) {
    check_refused(run_cli("merge " + part + " " + option + part), 2, "the same file is read");
    check_refused(run_cli("merge " + folder.file("link.jsonl") + " " + option + part), 2,
                  "the same file is read");
  }
  CHECK(shell("cat " + part).out == before);
}

TEST_CASE("every process of a job counts its shard, in a file of its own", "[cli][sweep]") {
  struct Job {
    const char* first;
    const char* second;
  };
  const std::vector<Job> jobs = {
      {"OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2",
       "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2"},
      {"SLURM_PROCID=0 SLURM_NTASKS=2", "SLURM_PROCID=1 SLURM_NTASKS=2"},
      {"SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_COUNT=2",
       "SLURM_ARRAY_TASK_ID=6 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_COUNT=2"},
      {"SLURM_ARRAY_TASK_STEP=4 SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 "
       "SLURM_ARRAY_TASK_COUNT=2",
       "SLURM_ARRAY_TASK_STEP=4 SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_MIN=0 "
       "SLURM_ARRAY_TASK_COUNT=2"}};
  const std::string sweep = "sweep histogram vector_add --n 64,128,256";
  const std::string whole = run_cli(sweep + " --csv").out;
  for (const Job& job : jobs) {
    CAPTURE(job.first);
    const TempFolder folder;
    for (const char* const process : {job.first, job.second}) {
      const Finished part = shell(std::string(process) + " \"$AGPUSIM\" " + sweep +
                                  " --shard job --out " + folder.file("part.jsonl"));
      CAPTURE(part.err);
      REQUIRE(part.exit_code == 0);
    }
    CHECK(run_cli("merge " + folder.file("part-1-of-2.jsonl") + " " +
                  folder.file("part-2-of-2.jsonl") + " --csv")
              .out == whole);
  }
}

TEST_CASE("a job array that is a list counts its parts of N", "[cli][sweep]") {
  const TempFolder folder;
  const auto task = [&](const std::string& id, const std::string& shard) {
    return shell("SLURM_ARRAY_TASK_ID=" + id +
                 " SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_MAX=4 SLURM_ARRAY_TASK_COUNT=2 "
                 "\"$AGPUSIM\" sweep scan reduce --n 2^10..2^12 --csv --shard " +
                 shard + " --out " + folder.file("part.jsonl"));
  };
  for (const std::string id : {"2", "4"}) {
    CHECK_THAT(task(id, "job").err, says("is a list of 2 tasks from 2 to 4", "--shard job/4"));
    REQUIRE(task(id, "job/4").exit_code == 0);
  }
  CHECK(task("5", "job/4").exit_code == 2);
  const Finished merged = run_cli("merge " + folder.file("part-2-of-4.jsonl") + " " +
                                  folder.file("part-4-of-4.jsonl") + " --csv");
  CHECK(merged.exit_code == 7);
  CHECK_THAT(merged.err, says("of the 6 points of sweep", "are missing"));
}

TEST_CASE("a point that cannot be kept is printed, and a cut one is counted again",
          "[cli][sweep]") {
  const TempFolder folder;
  const std::string sweep = "sweep histogram vector_add --n 64,128,256";
  const std::string whole = run_cli(sweep + " --csv").out;
  const std::string out = sweep + " --csv --out " + folder.file("points.jsonl");
  // A file may have 2 or 4 blocks of 512 bytes, a line has about 1,700.
  const Finished full = shell("ulimit -f 4; \"$AGPUSIM\" " + out);
  CHECK(full.exit_code == 5);
  CHECK(full.out == whole);
  CHECK_THAT(full.err, says("cannot add to", "points.jsonl", "counting goes on"));
  CHECK(content(folder / "points.jsonl").empty());
  REQUIRE(run_cli(out).exit_code == 0);
  const std::string kept = content(folder / "points.jsonl");
  put(folder / "points.jsonl", kept.substr(0, kept.size() - 9));
  CHECK_THAT(run_cli("merge " + folder.file("points.jsonl")).err,
             says("points.jsonl:6", "remove the line: the sweep's own command counts its point"));
  const Finished again = run_cli(out);
  CHECK(again.out == whole);
  CHECK_THAT(again.err, says("points.jsonl:6: a line was cut off"));
  CHECK(content(folder / "points.jsonl") == kept);
}

TEST_CASE("a process of mpirun that dies loses nothing", "[cli][sweep]") {
  if (shell("mpirun --version").exit_code != 0) SKIP("mpirun is not installed");
  const TempFolder folder;
  const std::string sweep = "sweep histogram vector_add --n 64,128,256";
  const std::string whole = run_cli(sweep + " --csv").out;
  const std::string ranks = "mpirun --allow-run-as-root --oversubscribe -np 3 ";
  const std::string part =
      "\"$AGPUSIM\" " + sweep + " --threads 1 --shard job --out " + folder.file("part.jsonl");
  // The second one is killed before it has written anything.
  CHECK(shell(ranks + "sh -c 'test $OMPI_COMM_WORLD_RANK = 1 && kill -9 $$; exec " + part + "'")
            .exit_code != 0);
  REQUIRE(shell(ranks + part).exit_code == 0);
  CHECK(run_cli("merge " + folder.file("part-*-of-3.jsonl") + " --csv").out == whole);
}

TEST_CASE("a job array of Slurm counts a sweep", "[cli][sweep]") {
  if (shell("sinfo --noheader | grep .").exit_code != 0) SKIP("there is no Slurm here");
  const TempFolder folder;
  const std::string programs = "histogram vector_add --n 64,128,256";
  const Finished job =
      shell(R"(PATH="$(dirname "$AGPUSIM"):$PATH" PARTS=3 sbatch --wait --array=1-3 --chdir ')" +
            folder.path().string() + "' '" AGPUSIM_TEST_DIR "/../docs/sweep.slurm' " + programs);
  CAPTURE(job.err, shell("cat " + folder.file("sweep-*.log")).out);
  REQUIRE(job.exit_code == 0);
  CHECK(run_cli("merge " + folder.file("part-*-of-3.jsonl") + " --csv").out ==
        run_cli("sweep " + programs + " --csv").out);
}

TEST_CASE("a formula that is more than 2 % off is not called a law", "[cli][sweep]") {
  const std::string sweep = "sweep bitonic_sort --p 1024 --n 2^12..2^20 --laws";
  for (const auto& fit : json_of_cli(sweep).at("fits")) {
    const auto& error = fit.at("best").at("largest_error");
    CAPTURE(fit.at("quantity"), error);
    if (fit.at("quantity") == "Q") CHECK(fit.at("law").is_string());
    if (fit.at("quantity") != "T") continue;
    CHECK(error > 0.02);
    CHECK(fit.at("law").is_null());
    CHECK_THAT(fit.at("why_not").get<std::string>(), says("within 2 %"));
  }
  CHECK_THAT(run_cli(sweep).out, says("of every point; near: ", "up to "));
}

TEST_CASE("the page of a sweep holds its plots", "[cli][sweep]") {
  const TempFolder folder;
  REQUIRE(run_cli("sweep vector_add --n 2^10..2^14 --html " + folder.file("p.html")).exit_code ==
          0);
  const std::string page = shell("cat " + folder.file("p.html")).out;
  CHECK_THAT(page, says(R"("label":"AGPU(p=16896, b=32, M=14528, w=32), V=32, n^1.00 at its end")",
                        "</html>"));
  CHECK_THAT(page, !says("http-equiv=\"refresh\"") && !says("src="));
}

TEST_CASE("sweep says what it cannot take", "[cli][sweep]") {
  check_refusals("sweep", {
                              {"vector_add", "--n is required"},
                              {"vectoradd --n 64", "did you mean 'vector_add'"},
                              {"pram/scann --n 64", "did you mean 'scan'"},
                              {"pram/scan:dyadi --n 64", "dyadic"},
                              {"vector_add --n 64 --shard 3", "is not I/N"},
                              {"vector_add --n 64 --shard 3/2", "too large"},
                              {"vector_add --n 64 --shard job", "not one of a job array"},
                              {"vector_add --n 64 --b 7", "b"},
                          });
  CHECK_THAT(run_cli("merge /nowhere.jsonl").err, says("/nowhere.jsonl"));
}
