#include <set>
#include <sstream>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"

// A sweep on the ranks of mpirun.
using namespace agpusim::test;

namespace {

constexpr const char* mpirun = "mpirun --allow-run-as-root --oversubscribe ";

/// Why no sweep can be started on ranks here; empty: it can.
std::string why_no_ranks() {
  const Finished refused = run_cli("sweep vector_add --n 64 --mpi --shard 1/2");
  if (!refused.err.ends_with("leave one out\n")) return "this agpusim was built without MPI";
  return shell("mpirun --version").exit_code == 0 ? "" : "mpirun is not installed";
}

/// A sweep whose simulations take seconds of one core.
constexpr const char* long_sweep =
    "sweep scatter histogram:all multiway_merge_sort:selection --n "
    "50000,2^16,100000,2^17,2^18,2^19 --p 1024,2048,4096 --b 16,32 --threads 1";

/// The long sweep on three ranks with `options` of mpirun; as soon as points are kept, `signal` is
/// sent to mpirun (`to` is empty) or to a rank.
Finished signalled(const TempFolder& folder, const std::string& options, const std::string& signal,
                   const std::string& to) {
  return shell("cd '" + folder.path().string() + "' && { " + mpirun + options +
               R"( -np 3 sh -c 'echo $$ >pid.$OMPI_COMM_WORLD_RANK; exec "$0" )" + long_sweep +
               R"( --csv --mpi --rank-timeout 1 --out points.jsonl' "$AGPUSIM" & }; job=$!; )" +
               "for i in $(seq 200); do [ -s points.jsonl ] && break; sleep 0.05; done; kill -" +
               signal + (to.empty() ? " $job" : " $(cat pid." + to + ")") + "; wait $job");
}

/// Lines of a file, and different ones of them.
std::pair<std::size_t, std::size_t> lines_of(const std::string& file) {
  std::istringstream content(shell("cat '" + file + "'").out);
  std::multiset<std::string> lines;
  for (std::string line; std::getline(content, line);) lines.insert(line);
  return {lines.size(), std::set<std::string>(lines.begin(), lines.end()).size()};
}

}  // namespace

TEST_CASE("1, 2 and 7 ranks print the table of one process", "[cli][sweep][mpi]") {
  if (const std::string reason = why_no_ranks(); !reason.empty()) SKIP(reason);
  const TempFolder folder;
  const std::string sweep =
      "sweep histogram vector_add scan:all pram/scan:nested --n 64,2^10,2^12 --b 16,32 --threads 1";
  const std::string whole = run_cli(sweep).out;
  for (const char* const ranks : {"1", "2", "7"}) {
    const std::string out = folder.file(std::string(ranks) + ".jsonl");
    const Finished job = shell(std::string(mpirun) + "-np " + ranks + " \"$AGPUSIM\" " + sweep +
                               " --mpi --out " + out);
    CAPTURE(ranks, job.err);
    CHECK(job.exit_code == 0);
    CHECK((job.out == whole));
    CHECK((run_cli(sweep + " --out " + out).out == whole));
  }
}

TEST_CASE("the points of a rank that is killed are handed out again", "[cli][sweep][mpi]") {
  if (const std::string reason = why_no_ranks(); !reason.empty()) SKIP(reason);
  const TempFolder folder;
  const std::string whole = run_cli(std::string(long_sweep) + " --csv").out;
  const Finished job = signalled(folder, "--enable-recovery", "KILL", "1");
  CAPTURE(job.err);
  CHECK_THAT(job.err, says("agpusim: rank 1 was not heard of for 1 s and is taken for dead; ",
                           " of its runs are handed out again"));
  CHECK_THAT(job.err, !says("dead; 0 of its runs"));
  CHECK(job.exit_code == 0);
  CHECK((job.out == whole));
  const auto [lines, different] = lines_of(folder.file("points.jsonl"));
  CHECK(lines == different);
  CHECK(lines == 180);
}

TEST_CASE("a job that is ended goes on with its file", "[cli][sweep][mpi]") {
  if (const std::string reason = why_no_ranks(); !reason.empty()) SKIP(reason);
  const TempFolder folder;
  const std::string file = folder.file("points.jsonl");
  SECTION("by mpirun, as a rank was killed") {
    CHECK(signalled(folder, "", "KILL", "1").exit_code != 0);
  }
  SECTION("by Ctrl-C") { CHECK(signalled(folder, "", "INT", "").exit_code != 0); }
  const std::size_t before = lines_of(file).first;
  CHECK(before > 0);
  CHECK(before < 180);
  const Finished job = shell(std::string(mpirun) + "-np 3 \"$AGPUSIM\" " + long_sweep +
                             " --csv --mpi --out " + file);
  CAPTURE(job.err);
  CHECK(job.exit_code == 0);
  CHECK((job.out == run_cli(std::string(long_sweep) + " --csv").out));
  CHECK(lines_of(file) == std::pair<std::size_t, std::size_t>(180, 180));
}

TEST_CASE("runs counted and verified on ranks are those of one process", "[cli][sweep][mpi]") {
  if (const std::string reason = why_no_ranks(); !reason.empty()) SKIP(reason);
  const TempFolder folder;
  const std::string three = std::string(mpirun) + "-np 3 \"$AGPUSIM\" ";
  SECTION("count") {
    const std::string records = folder.file("records.jsonl");
    const std::string small = "grep -v '\"n\":[0-9]\\{7,\\}' " AGPUSIM_TEST_DIR
                              "/../validation/data/h200/statistics/times.jsonl >";
    CHECK(shell(small + "'" + records + "'").exit_code == 0);
    const std::string count = "count '" + records + "' --out ";
    const std::string one = folder.file("one.jsonl");
    const std::string shared = folder.file("shared.jsonl");
    CHECK(run_cli(count + one).exit_code == 0);
    const std::string on_ranks = three + count + shared + " --mpi --threads 1 --csv";
    const Finished job = shell(on_ranks);
    CAPTURE(job.err);
    CHECK(job.exit_code == 0);
    CHECK((shell("sort '" + shared + "'").out == shell("sort '" + one + "'").out));
    CHECK((job.out == run_cli(count + folder.file("again.jsonl") + " --csv").out));
    const std::size_t lines = lines_of(shared).first;
    CHECK(lines > 5);
    CHECK(shell(on_ranks).exit_code == 0);
    CHECK(lines_of(shared) == std::pair(lines, lines));
  }
  SECTION("analyze --verify") {
    const std::string verify = "analyze --verify --no-html --rows --algorithm statistics";
    const Finished job = shell(three + verify + " --mpi --threads 1");
    CAPTURE(job.err);
    CHECK(job.exit_code == 0);
    CHECK_THAT(job.out, says("simulated"));
    CHECK((job.out == run_cli(verify).out));
  }
  SECTION("what is not shared is refused") {
    check_refused(run_cli("analyze --mpi --no-html"), 2, "--verify");
    check_refused(run_cli("count --check --mpi"), 2, "--check");
  }
}

TEST_CASE("an error of a sweep on ranks is told once", "[cli][sweep][mpi]") {
  if (const std::string reason = why_no_ranks(); !reason.empty()) SKIP(reason);
  const Finished no_size = shell(std::string(mpirun) + "-np 2 \"$AGPUSIM\" sweep vector_add --mpi");
  CHECK(no_size.exit_code == 2);
  CHECK(no_size.out.empty());
  CHECK_THAT(no_size.err, says("agpusim: error: --n is required"));
  CHECK(no_size.err.find("agpusim: error") == no_size.err.rfind("agpusim: error"));
  check_refused(run_cli("sweep vector_add --n 64 --mpi --shard 1/2"), 2, "--mpi and --shard");
}

TEST_CASE("without MPI, sweep --mpi says what to install", "[cli][sweep][mpi]") {
  const Finished finished = run_cli("sweep vector_add --n 64 --mpi");
  if (finished.exit_code == 0) SKIP("this agpusim was built with MPI");
  check_refused(finished, 6, "libopenmpi-dev");
}
