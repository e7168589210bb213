#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/grid.hpp"
#include "agpusim/tests/support/rows.hpp"

// Counts derived from one task of each class of tasks equal the simulation's, field by field, for
// every row, variant and type whose kernels say that their cost does not depend on data.
namespace agpusim {
namespace {

struct Tally {
  int runs = 0;
  int derived = 0;
  int compared = 0;
};

/// Operations and traffic are derived exactly. A loop whose turns are left out goes on in the
/// middle of a line that the private cache would hold: misses, and the lone time with them, are
/// derived to within a few reads.
void check_execution(const PhaseExecution& derived, const PhaseExecution& simulated) {
  Execution a = derived.total;
  Execution b = simulated.total;
  const auto near = [](std::int64_t x, std::int64_t y, std::int64_t least) {
    return std::abs(x - y) <= std::max(least, y / 10);
  };
  constexpr std::int64_t reads = 32;
  CHECK(near(a.misses, b.misses, reads));
  CHECK(near(a.lone.front(), b.lone.front(), reads * lone_latencies.front() * lone_units));
  for (Execution* const execution : {&a, &b}) {
    execution->misses = 0;
    execution->missed_reads = 0;
    execution->missed_lines = 0;
    execution->lone = {};
  }
  CHECK(a.operations == b.operations);
  CHECK(a == b);
  CHECK(derived.array_sectors == simulated.array_sectors);
  CHECK(derived.live_values == simulated.live_values);
}

/// Simulates and derives where the machine can run it in a moment.
void check_run(const Algorithm& row, RunConfig config, Tally& tally) {
  try {
    config = resolve(row, config);
  } catch (const UsageError&) {
    return;
  }
  CAPTURE(row.name, config.variant, config.type, config.n, config.input, config.spec.to_string(),
          config.spec.skip_empty, to_string(config.spec.assignment), config.spec.cores);
  ++tally.runs;
  const std::optional<RunReport> derived = row.derive(config);
  if (!derived) return;
  ++tally.derived;
  for (const Formula& formula : row.formulas) {
    if (const auto value = formula.value(config)) CHECK(formula.count(*derived) == *value);
  }
  if (derived->total().instructions() > 1 << 18) return;
  RunReport simulated;
  try {
    simulated = row.simulate(config, {.threads = 1, .execution = true}).report;
  } catch (const RuleViolation&) {
    return;  // more words than w bits address, which derived counts do not mind
  }
  ++tally.compared;
  // What a private cache misses depends on where tasks begin in lines of 128 bytes: execution is
  // derived exactly where a block is whole lines.
  const bool whole_lines =
      config.spec.block_words * std::int64_t{config.spec.word_bits} % (8 * 128) == 0;
  REQUIRE(derived->phases.size() == simulated.phases.size());
  for (std::size_t i = 0; i < simulated.phases.size(); ++i) {
    CAPTURE(i, simulated.phases[i].kernel, simulated.phases[i].tasks);
    CHECK(derived->phases[i].counts.time() == simulated.phases[i].counts.time());
    CHECK(derived->phases[i].counts.rounds == simulated.phases[i].counts.rounds);
    CHECK(derived->phases[i].counts.sectors() == simulated.phases[i].counts.sectors());
    CHECK(derived->phases[i].time == simulated.phases[i].time);
    CHECK(derived->phases[i].io_max == simulated.phases[i].io_max);
    if (whole_lines) check_execution(derived->phases[i].execution, simulated.phases[i].execution);
    simulated.phases[i].execution = derived->phases[i].execution;
    REQUIRE(derived->phases[i] == simulated.phases[i]);
  }
  REQUIRE(derived->time_total_max == simulated.time_total_max);
  REQUIRE(derived->global_words_peak == simulated.global_words_peak);
  REQUIRE(derived->host_words_in == simulated.host_words_in);
}

/// Calls `check` for every row, variant and type; what is derived must be compared.
template <class Check>
void for_forms(Check check) {
  std::string forms;
  for (const Algorithm& row : test::all_rows().on_agpu()) {
    for (const RunConfig& form : forms_of(row)) {
      Tally tally;
      check(row, form, tally);
      CAPTURE(row.name, form.variant, form.type, tally.runs, tally.derived);
      // Whether counts depend on data may depend on the parameters: regions that are not cut.
      if (tally.derived > 0) CHECK(tally.compared > 0);
      forms += fmt::format("{} {} {}: {} of {}, {} compared\n", row.name, form.variant, form.type,
                           tally.derived, tally.runs, tally.compared);
    }
  }
  INFO(forms);
  CHECK_THAT(forms, says("vector_add  u32: "));
}

TEST_CASE("derived counts equal simulated ones on a grid of (n, p, b, M)",
          "[algorithms][derived]") {
  for_forms([](const Algorithm& row, RunConfig config, Tally& tally) {
    constexpr std::int64_t sizes[] = {1, 2, 31, 33, 100, 1000, 1024, 1025, 5000, 20'000};
    constexpr std::int64_t shared_words[] = {300, 2500, 300};
    test::for_grid(config, sizes, shared_words, [&] { check_run(row, config, tally); });
  });
}

TEST_CASE("derived counts hold for strict banks, other word sizes and next-fit",
          "[algorithms][derived]") {
  for_forms([](const Algorithm& row, RunConfig config, Tally& tally) {
    for (const std::int64_t n : {77, 1024, 3001, 50'000}) {
      for (const std::int32_t b : {4, 8, 12, 32}) {
        for (const std::int32_t word_bits : {16, 32, 64}) {
          config.n = n;
          config.spec.block_words = b;
          config.spec.width = 2 * b;
          config.spec.cores = 4 * b;
          config.spec.shared_words = 4096;
          config.spec.word_bits = word_bits;
          config.spec.bank_mode = BankMode::strict;
          config.spec.assignment = Assignment::next_fit;
          config.spec.next_fit_cap = std::int64_t{1} << 40;
          check_run(row, config, tally);
        }
      }
    }
  });
}

TEST_CASE("derived counts hold for every kind of input", "[algorithms][derived]") {
  for_forms([](const Algorithm& row, RunConfig config, Tally& tally) {
    for (const std::string& input : row.inputs) {
      for (const std::int64_t n : {255, 4096, 10007}) {
        config.n = n;
        config.input = input;
        config.spec.cores = 32 * 5;
        config.spec.shared_words = 2560;
        check_run(row, config, tally);
      }
    }
  });
}

}  // namespace
}  // namespace agpusim
