#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/merge_sort/key_load.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/rows.hpp"

// Whole runs of the variant pivots: phases, Q, parameters, small inputs, refusals.
namespace agpusim::multiway_pivots_test {
namespace {

using test::value_of;

const Algorithm& row() { return test::row("multiway_merge_sort"); }

RunConfig pivots_run(std::int64_t n, std::int32_t b, std::int64_t k) {
  return RunConfig{.variant = "pivots",
                   .n = n,
                   .spec = {.cores = b * k, .block_words = b, .shared_words = 4096, .width = b}};
}

RunResult simulate(const RunConfig& config) {
  const RunResult result = row().simulate(config, {1, true, true, {}});
  REQUIRE(result.correct);
  return result;
}

/// Phases of a kernel.
std::vector<PhaseReport> phases_of(const RunReport& report, const std::string& kernel) {
  std::vector<PhaseReport> result;
  for (const PhaseReport& phase : report.phases) {
    if (phase.kernel == kernel) result.push_back(phase);
  }
  return result;
}

TEST_CASE("phases and Q of the distribution stay within theory 3.12", "[algorithms][multiway]") {
  for (const std::string& kind : input_kinds()) {
    for (const std::int64_t ways : {2, 4, 16}) {
      const std::int64_t n = 20'000;
      const std::int64_t b = 8;
      const std::int64_t runs_before = ceil_div(n, 64);
      RunConfig config = pivots_run(n, 8, 6);
      config.input = kind;
      config.parameters = {{"tile", 64}, {"d", ways}, {"runs", 11}, {"rows", 2}};
      config = resolve(row(), config);
      CAPTURE(kind, ways, config.parameters.at("pivots"));
      std::int64_t h = 64;
      while (ceil_div(n, h) > 11) h *= 2;
      const std::int64_t l = ceil_div(n, h);
      const std::int64_t rho = config.parameters.at("pivots");
      const std::int64_t u = rho * l + 1;
      CHECK(rho == std::min<std::int64_t>(12, (n / b / l - 1) / l));  // u·l <= n/b, at most 2k
      const RunReport report = simulate(config).report;
      const auto rounds = [&](std::int64_t runs) {
        std::int64_t count = 0;
        for (std::int64_t merged = 1; merged < runs; merged *= ways) ++count;
        return count;
      };
      const auto groups = phases_of(report, "merge_groups");
      CHECK(std::ssize(groups) == rounds(ceil_div(runs_before, l)) + rounds(l));
      const auto of = [&](const char* kernel) {
        return phases_of(report, kernel).at(0).counts.io();
      };
      const std::int64_t lists = l * ceil_div(rho, b);  // blocks
      CHECK(of("sample_pivots") == u - 1 + lists);
      CHECK(of("count_cuts") <= l * (ceil_div(h, b) + ceil_div(u - 1, b) + ceil_div(u, b)));
      CHECK(of("offsets_of_pieces") <= (6 * l + 1) * ceil_div(u, b));
      const auto merges = phases_of(report, "merge_pieces");
      CHECK(std::ssize(merges) == rounds(l));
      for (const PhaseReport& merge : merges) {
        // A piece or an output touches up to two blocks beside its whole ones; a task reads where
        // its output begins and ends, and where each of its pieces, absent ones too, does.
        const std::int64_t leaves = std::min<std::int64_t>(ways, 16);
        CHECK(merge.counts.io() <= 2 * n / b + merge.tasks * (2 + 2 + (2 + 2) * leaves));
      }
    }
  }
}

TEST_CASE("pivots are taken and their lists merged for the blocks that theory 3.12 says",
          "[algorithms][multiway]") {
  struct Setting {
    std::int64_t b, k, ways, runs, pivots;  // M = 4096; n = 2^16, tiles of 64
  };
  // Lists whose filling takes a whole buffer in a later round are cheaper (theory 3.12).
  for (const auto& [b, k, ways, runs, pivots] : {Setting{8, 16, 8, 16, 31},
                                                 {8, 16, 8, 16, 24},
                                                 {8, 16, 2, 16, 8},
                                                 {8, 6, 4, 8, 16},
                                                 {16, 4, 4, 4, 33},
                                                 {32, 9, 8, 4, 70},
                                                 {32, 4, 16, 32, 30}}) {
    RunConfig config = pivots_run(1 << 16, static_cast<std::int32_t>(b), k);
    config.parameters = {
        {"tile", 64}, {"rows", 1}, {"d", ways}, {"runs", runs}, {"pivots", pivots}};
    const RunReport report = simulate(resolve(row(), config)).report;
    CAPTURE(b, k, ways, runs, pivots);
    const std::int64_t lists = runs * ceil_div(pivots, b);  // blocks
    std::int64_t rounds = 0;
    for (std::int64_t merged = 1; merged < runs; merged *= ways) ++rounds;
    CHECK(phases_of(report, "sample_pivots").at(0).counts.io() == runs * pivots + lists);
    const auto groups = phases_of(report, "merge_groups");
    std::int64_t io = 0;
    for (auto round = groups.end() - rounds; round != groups.end(); ++round) {
      io += round->counts.io();
    }
    CHECK(io == 2 * lists * rounds);
  }
}

TEST_CASE("next-fit in keys opens a multiprocessor where the cap would be reached",
          "[algorithms][multiway]") {
  using multiway_merge_sort::next_fit_in_keys;
  const std::vector<std::int64_t> regions = {4, 3, 2, 5, 1, 1, 6};
  const auto load = next_fit_in_keys(regions, 8);  // 4 3 | 2 5 | 1 1 | 6
  CHECK(load.used == 4);
  CHECK(load.most == 7);
  CHECK(load.keys == std::vector<std::int64_t>{7, 7, 2, 6});
  CHECK(next_fit_in_keys(regions, 9).used == 3);  // 4 3 | 2 5 1 | 1 6
  CHECK(multiway_merge_sort::cyclic_in_keys(regions, 2).most == 13);
  CHECK(multiway_merge_sort::cyclic_in_keys(regions, 2).keys == std::vector<std::int64_t>{13, 9});
}

TEST_CASE("a heap's time is that of filling it and of equal fetches", "[algorithms][multiway]") {
  RunConfig config{.variant = "heap",
                   .n = 1 << 16,
                   .spec = {.cores = 128, .block_words = 8, .shared_words = 1024, .width = 8}};
  config = resolve(row(), config);
  const RunReport report = simulate(config).report;
  const std::vector<PhaseReport> rounds = phases_of(report, "merge_groups");
  REQUIRE(rounds.size() == 3);  // groups of 2^10, 2^13 and 2^16 keys, 32 a fetch
  const double fetch = double(rounds[2].max_task_time - rounds[1].max_task_time) / (57'344 / 32);
  const double fill = double(rounds[2].max_task_time) - fetch * 65'536 / 32;
  const std::string said = row().account(config, report).at(0).value;
  CHECK(said.starts_with(
      fmt::format("of d = 8: T {} to fill and drain its 7 nodes, which reads 28 blocks; T {} and",
                  fill, fetch)));
}

TEST_CASE("a run says whether Lemma 4.1 holds for its regions", "[algorithms][multiway]") {
  for (const std::string& kind : input_kinds()) {
    RunConfig config = pivots_run(30'000, 8, 6);
    config.input = kind;
    config.parameters = {{"tile", 64}, {"runs", 11}};
    config = resolve(row(), config);
    CAPTURE(kind, config.parameters.at("pivots"));
    // 8 runs of 12 pivots each: 97 regions for 6 multiprocessors.
    const RunResult result = simulate(config);
    CHECK(value_of(result, "regions").substr(0, 23) == "u = 97 from l = 8 runs,");
    CHECK(value_of(result, "Lemma 4.1") == "holds: u > lk + 1 = 49");
    config.parameters["pivots"] = 6;  // ρ = k is the least that suffices, u = lk + 1 is not above
    CHECK(value_of(simulate(config), "Lemma 4.1") == "says nothing: u > lk + 1 = 49 is not so");
  }
  RunConfig few = pivots_run(100, 8, 6);
  CHECK(simulate(resolve(row(), few)).values.empty());
}

TEST_CASE("the variant pivots sorts where there is too little to distribute",
          "[algorithms][multiway]") {
  for (const std::int64_t n : {0, 1, 2, 31, 32, 33, 100, 512}) {
    const RunConfig config = resolve(row(), pivots_run(n, 32, 16));
    CAPTURE(n);
    CHECK(config.parameters.at("pivots") == 0);
    CHECK(phases_of(simulate(config).report, "sample_pivots").empty());
  }
  RunConfig many_runs = pivots_run(3000, 32, 16);
  many_runs.parameters = {{"tile", 32}, {"runs", 100}};  // 94 runs of 94 blocks: u·l > n/b
  many_runs = resolve(row(), many_runs);
  CHECK(many_runs.parameters.at("pivots") == 0);
  CHECK(phases_of(simulate(many_runs).report, "sample_pivots").empty());
  for (const auto& [runs, pivots] : {std::pair{1, 9}, {9, 0}, {1, 0}}) {
    RunConfig config = pivots_run(9000, 8, 4);
    config.parameters = {{"runs", runs}, {"pivots", pivots}};
    CAPTURE(runs, pivots);
    CHECK(phases_of(simulate(resolve(row(), config)).report, "merge_pieces").empty());
  }
}

TEST_CASE("the variant pivots with any number of runs and pivots", "[algorithms][multiway]") {
  const auto type = GENERATE(as<std::string>{}, "u32", "u64");
  for (const char* const kind : {"uniform", "few_distinct", "reversed"}) {
    for (const auto& [runs, pivots] :
         {std::pair{2, 1}, {2, 200}, {3, 5}, {7, 16}, {100, 1}, {1 << 20, 3}}) {
      for (const auto& [ways, width] : {std::pair{2, 8}, {5, 32}, {16, 8}}) {
        RunConfig config = pivots_run(3001, 8, 3);
        config.type = type;
        config.input = kind;
        config.spec.width = width;
        config.parameters = {
            {"rows", 1}, {"tile", 32}, {"d", ways}, {"runs", runs}, {"pivots", pivots}};
        CAPTURE(type, kind, runs, pivots, ways, width);
        CHECK(!phases_of(simulate(resolve(row(), config)).report, "merge_pieces").empty());
      }
    }
  }
}

TEST_CASE("merged lists of pivots end with whole buffers of padding, which are read as well",
          "[algorithms][multiway]") {
  // Lists of 37 pivots in 48 places: the second round merges 384 places, the last 88 of which are
  // padding, with 288, the last 66, in buffers of 64.
  RunConfig config = pivots_run(3546, 32, 3);
  config.spec.width = 64;
  config.parameters = {{"rows", 1}, {"tile", 128}, {"d", 8}, {"runs", 15}, {"pivots", 37}};
  simulate(resolve(row(), config));
}

TEST_CASE("by default k pivots a run leave u l <= n/b from the hidden size on",
          "[algorithms][multiway]") {
  const std::int64_t b = 32;
  for (const std::int64_t k : {9, 56}) {
    // n > b k (k^2 + 1): as many runs as multiprocessors (theory 3.12).
    const std::int64_t hidden = b * k * (k * k + 1);
    CHECK(resolve(row(), pivots_run(hidden, b, k)).parameters.at("runs") == k);
    CHECK(resolve(row(), pivots_run(hidden - b, b, k)).parameters.at("runs") == k - 1);
    for (const std::int64_t n : {hidden / 100, hidden / 7, hidden, 5 * hidden}) {
      const RunConfig config = resolve(row(), pivots_run(n, b, k));
      const std::int64_t runs = config.parameters.at("runs");
      CAPTURE(k, n, runs);
      CHECK(((k * runs + 1) * runs <= n / b || runs == 2));
      CHECK(((k * (runs + 1) + 1) * (runs + 1) > n / b || runs == k));
    }
  }
}

TEST_CASE("the variant pivots says what it cannot do", "[algorithms][multiway]") {
  using Catch::Matchers::ContainsSubstring;
  RunConfig config = pivots_run(10'000, 8, 4);
  config.parameters = {{"pivots", std::int64_t{1} << 29}};
  CHECK_THROWS_WITH(resolve(row(), config), says("use fewer pivots"));
  for (const char* const name : {"tile", "runs", "pivots"}) {
    config.parameters = {{name, std::numeric_limits<std::int64_t>::max()}};
    CHECK_THROWS_AS(resolve(row(), config), UsageError);
  }
}

}  // namespace
}  // namespace agpusim::multiway_pivots_test
