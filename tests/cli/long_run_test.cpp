#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

#include "agpusim/cli/run_time.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/rows.hpp"
#include "agpusim/validation/counts/counts.hpp"

// Runs that take long or much say so before.
using namespace agpusim;
using namespace agpusim::test;

namespace {

/// What `f` writes to standard error, which is no terminal meanwhile.
template <class F>
std::string errors_of(F f) {
  const TempFolder folder;
  const std::string path = folder.file("errors");
  const int file = open(path.c_str(), O_RDWR | O_CREAT, 0600);
  const int before = dup(STDERR_FILENO);
  dup2(file, STDERR_FILENO);
  f();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  std::string text(1 << 16, '\0');
  text.resize(
      static_cast<std::size_t>(std::max<ssize_t>(0, pread(file, text.data(), text.size(), 0))));
  close(file);
  return text;
}

}  // namespace

TEST_CASE("a run of more than a minute says so before it begins", "[cli][long]") {
  const TempFolder folder;
  const Finished finished =
      shell("cd '" + folder.path().string() +
            "' && { \"$AGPUSIM\" run rank_sort --n 2^22 --machine h200 2>said & }; run=$!; "
            "for i in $(seq 600); do [ -s said ] && break; sleep 0.1; done; "
            "kill -INT $run; wait $run; code=$?; cat said; exit $code");
  CAPTURE(finished.out, finished.err);
  CHECK(finished.exit_code == 130);
  CHECK(finished.out.starts_with("agpusim: simulating n = 2^22 will take about "));
  CHECK_THAT(finished.out, says("; --n 2^1", " takes less than a minute; Ctrl-C ends it\n"));
  CHECK(run_cli("run rank_sort --n 2^12 --machine h200").err.empty());
}

TEST_CASE("what a large parameter or many processor-steps take is said too", "[cli][long]") {
  // 10 keys, and a table of 2^31 bins: refused for its memory, after the warning.
  const Finished bins = shell(
      "ulimit -v 6000000; \"$AGPUSIM\" run hp_sort --n 10 --w 64 --threads 1 --set "
      "range=2147483647");
  CAPTURE(bins.err);
  CHECK(bins.exit_code == 2);
  CHECK_THAT(bins.err, says("agpusim: simulating n = 10 will take about ",
                            ", since n = 10 with parameters up to 2^"));

  const TempFolder folder;
  const Finished pram =
      shell("cd '" + folder.path().string() +
            "' && { \"$AGPUSIM\" pram rank_sort --n 2^20 --variant linear 2>said & }; run=$!; "
            "for i in $(seq 600); do [ -s said ] && break; sleep 0.1; done; "
            "kill -INT $run; wait $run; code=$?; cat said; exit $code");
  CAPTURE(pram.out, pram.err);
  CHECK(pram.exit_code == 130);
  CHECK(pram.out.starts_with("agpusim: running n = 2^20 will take about "));
  CHECK(contains(pram.out, "; --n 2^1"));
}

TEST_CASE("lane operations are estimated from small runs and the time bound", "[cli][long]") {
  const auto estimate = [](const char* name, const char* variant, std::int64_t n) {
    return estimated_lane_operations(row(name), resolve(row(name), {.variant = variant, .n = n}));
  };
  const auto derived = [](const char* name, std::int64_t n) {
    const auto report = row(name).derive(resolve(row(name), {.n = n}));
    REQUIRE(report);
    return static_cast<double>(report->total().instructions()) * report->spec.block_words;
  };
  CHECK(estimate("vector_add", "", 1 << 20) ==
        Catch::Approx(derived("vector_add", 1 << 20)).epsilon(0.1));
  CHECK(estimate("transpose", "", 1 << 20) ==
        Catch::Approx(derived("transpose", 1 << 20)).epsilon(0.1));
  for (const char* const variant :
       {"registers", "global"}) {  // n^2, also where lanes take more keys
    const double ratio =
        estimate("rank_sort", variant, 1 << 20) / estimate("rank_sort", variant, 1 << 16);
    CHECK(ratio == Catch::Approx(256).epsilon(0.01));
  }
  // The estimate of a run with a range of 2^22 takes a run with a smaller one.
  RunConfig wide{.type = "i32", .n = 10, .parameters = {{"range", 1 << 22}}};
  wide = resolve(row("hp_sort"), wide);
  CHECK(scaled_down(row("hp_sort"), wide, 1 << 10)->parameters.at("range") == 1 << 16);
  const double estimated = estimated_lane_operations(row("hp_sort"), wide);
  const double simulated = lane_operations(row("hp_sort").simulate(wide, {}).report);
  CHECK(estimated > simulated / 3);
  CHECK(estimated < simulated * 3);
  RunConfig one{.n = 1};
  const std::int64_t n =
      affordable_n(row("rank_sort"), resolve(row("rank_sort"), one), 1 << 20, 1e9);
  CHECK(estimate("rank_sort", "", n) <= 1e9);
  CHECK(estimate("rank_sort", "", 2 * n) > 1e9);
  CHECK(affordable_n(row("vector_add"), resolve(row("vector_add"), one), 1 << 20, 1e9) == 1 << 20);
}

TEST_CASE("the example of a help page takes seconds", "[cli][long]") {
  CHECK(
      contains(run_cli("help vector_add").out, "agpusim run vector_add --n 2^20 --machine h200\n"));
  const std::string page = run_cli("help rank_sort").out;
  const std::string before = "agpusim run rank_sort --n ";
  const std::size_t at = page.find(before) + before.size();
  REQUIRE(at > before.size());
  RunConfig config{.n = parse_size("--n", page.substr(at, page.find(' ', at) - at))};
  CHECK(estimated_lane_operations(row("rank_sort"), resolve(row("rank_sort"), config)) <=
        1LL << 33);
}

TEST_CASE("progress is a line now and then where there is no terminal", "[cli][long]") {
  const std::string text = errors_of([] {
    Progress progress(std::chrono::milliseconds(20));
    progress.show("half done");
    std::this_thread::sleep_for(std::chrono::milliseconds(70));
  });
  CAPTURE(text);
  CHECK(text.starts_with("agpusim: half done (0 s so far)\n"));
  CHECK(std::count(text.begin(), text.end(), '\n') >= 2);
  CHECK(errors_of([] { Progress().show("short"); }).empty());
}

TEST_CASE("lengths of time are read at a glance", "[cli][long]") {
  CHECK(duration_text(0.4) == "0 s");
  CHECK(duration_text(90) == "90 s");
  CHECK(duration_text(36 * 60) == "36 min");
  CHECK(duration_text(3.5 * 3600) == "3.5 h");
  CHECK(duration_text(12 * 86400) == "12 days");
}

TEST_CASE("tables that do not fit are refused before anything is made", "[cli][long][error]") {
  // 2^30 bins twice, and what checks them, are 12 GiB.
  const Finished memory =
      shell("ulimit -v 6000000; timeout 20 \"$AGPUSIM\" run hp_sort --n 10 --set range=2^30");
  CAPTURE(memory.err);
  CHECK(memory.exit_code == 2);
  CHECK(contains(memory.err, "GiB of memory, and this machine has"));
  const Finished words =
      shell("timeout 20 \"$AGPUSIM\" run hp_sort --n 10 --w 28 --set range=2^27");
  CAPTURE(words.err);
  CHECK(words.exit_code == 4);
  CHECK(contains(words.err, "word overflow"));
}
