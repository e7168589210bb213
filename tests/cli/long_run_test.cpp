#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <thread>
#include <unistd.h>

#include "agpusim/cli/growth.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/rows.hpp"

// Runs that take long or much say so before.
using namespace agpusim;
using namespace agpusim::test;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// What `f` writes to standard error, which is no terminal meanwhile.
template <class F>
std::string errors_of(F f) {
  const TemporaryFolder folder;
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
  const Finished finished = shell(
      "timeout --preserve-status -s INT 4 \"$AGPUSIM\" run rank_sort --n 2^22 --machine h200");
  CAPTURE(finished.err);
  CHECK(finished.exit_code == 130);
  CHECK(finished.out.empty());
  CHECK(contains(finished.err, "agpusim: simulating n = 2^22 will take about "));
  CHECK(contains(finished.err, "; --n 2^1"));
  CHECK(contains(finished.err, "Ctrl-C ends it"));
  CHECK(run_cli("run rank_sort --n 2^15 --machine h200").err.empty());
}

TEST_CASE("growth is that of the work", "[cli][long]") {
  const auto exponent = [](const char* name, const char* variant) {
    RunConfig config;
    config.variant = variant;
    config.type = row(name).types.front();
    config.input = row(name).inputs.front();
    const auto growth = growth_of(row(name), config, 1 << 12, 1e9);
    REQUIRE(growth);
    CHECK(growth->n == 1 << 12);
    return growth->exponent;
  };
  CHECK(exponent("vector_add", "") == Catch::Approx(1).margin(0.05));
  CHECK(exponent("rank_sort", "global") == Catch::Approx(2).margin(0.05));
  // Derived where the cost does not depend on data: n additions, as many reads and writes.
  RunConfig config;
  config.n = 1;
  const auto growth = growth_of(row("vector_add"), config, 1 << 12, 1e9);
  REQUIRE(growth);
  REQUIRE(growth->derived(1 << 30));
  CHECK(*growth->derived(1 << 30) > 3 * (1LL << 30));
  CHECK(*growth->derived(1 << 30) < 16 * (1LL << 30));
  const Growth square{1 << 10, 1e6, 0.5, 2};
  CHECK(square.lane_operations_at(1 << 12) == Catch::Approx(16e6));
  CHECK(square.seconds_at(1 << 12) == Catch::Approx(8));
  CHECK(affordable_n(square, 1 << 20, &Growth::seconds_at, 8.5) == 1 << 12);
  CHECK(affordable_n(square, 1 << 11, &Growth::seconds_at, 8.5) == 1 << 11);
}

TEST_CASE("the example of a help page takes seconds", "[cli][long]") {
  CHECK(
      contains(run_cli("help vector_add").out, "agpusim run vector_add --n 2^20 --machine h200\n"));
  const std::string page = run_cli("help rank_sort").out;
  const std::size_t at = page.find("agpusim run rank_sort --n 2^1");
  REQUIRE(at != std::string::npos);
  const std::string example = page.substr(at + 8, page.find('\n', at) - at - 8);
  CAPTURE(example);
  const Finished finished = shell("timeout 60 \"$AGPUSIM\" " + example);
  CHECK(finished.exit_code == 0);
  CHECK_FALSE(contains(finished.err, "will take about"));
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
      shell("ulimit -v 6000000; timeout 5 \"$AGPUSIM\" run hp_sort --n 10 --set range=2^30");
  CAPTURE(memory.err);
  CHECK(memory.exit_code == 2);
  CHECK(contains(memory.err, "GiB of memory, and this machine has"));
  const Finished words = shell("timeout 5 \"$AGPUSIM\" run hp_sort --n 10 --w 28 --set range=2^27");
  CAPTURE(words.err);
  CHECK(words.exit_code == 4);
  CHECK(contains(words.err, "word overflow"));
}
