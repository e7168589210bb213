#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/grid.hpp"
#include "agpusim/tests/support/rows.hpp"

// Every row of the algorithm table: the simulated result equals the reference and no count is below
// the lower bound. derived_test.cpp compares the counts.
namespace agpusim {
namespace {

/// Whether a run takes a moment, by its bound, which is within a constant of T: some work is n^2.
bool is_affordable(const Algorithm& row, const RunConfig& config) {
  constexpr double most = 1 << 17;
  const auto k = static_cast<double>(config.spec.multiprocessors());
  return time_bound(row, config).value(config) * k <= most;
}

/// A form that no machine and size of a grid can run would not be tested.
void require_runs(const RunConfig& form, int runs) {
  CAPTURE(form.algorithm, form.variant, form.type);
  CHECK(runs > 0);
}

/// Simulates what takes a moment (some work grows with n^2); returns whether it did.
bool check_run(const Algorithm& row, RunConfig config) {
  try {
    config = resolve(row, config);
  } catch (const UsageError&) {
    return false;
  }
  if (!is_affordable(row, config)) return false;
  CAPTURE(row.name, config.variant, config.type, config.n, config.input, config.spec.to_string(),
          config.spec.skip_empty, to_string(config.spec.assignment));
  const RunResult result = row.simulate(config, {1, true, true, {}});
  REQUIRE(result.checked);
  REQUIRE(result.correct);
  const LowerBound bound = row.lower_bound(config);
  REQUIRE(bound.io <= result.report.total().io());
  REQUIRE(bound.time <= result.report.time());
  return true;
}

TEST_CASE("results are right and bounds hold on a grid of (n, p, b, M)", "[algorithms][sweep]") {
  for (const Algorithm& row : test::all_rows().on_agpu()) {
    for (RunConfig config : forms_of(row)) {
      int runs = 0;
      constexpr std::int64_t sizes[] = {1, 2, 31, 32, 33, 100, 1000, 1024, 1025, 5000};
      constexpr std::int64_t shared_words[] = {64, 300, 2500};
      test::for_grid(config, sizes, shared_words, [&] { runs += check_run(row, config) ? 1 : 0; });
      require_runs(config, runs);
    }
  }
}

TEST_CASE("results are right for strict banks, other word sizes and next-fit",
          "[algorithms][sweep]") {
  for (const Algorithm& row : test::all_rows().on_agpu()) {
    for (RunConfig config : forms_of(row)) {
      int runs = 0;
      for (const std::int64_t n : {77, 1024, 3001}) {
        for (const std::int32_t b : {4, 8, 12, 32}) {
          for (const std::int32_t word_bits : {16, 32, 64}) {
            config.n = n;
            config.spec.block_words = b;
            config.spec.width = n == 1024 ? b : 2 * b;
            config.spec.cores = 4 * b;
            config.spec.shared_words = 4096;
            config.spec.word_bits = word_bits;
            config.spec.bank_mode = BankMode::strict;
            config.spec.assignment = Assignment::next_fit;
            config.spec.next_fit_cap = std::int64_t{1} << 40;
            runs += check_run(row, config) ? 1 : 0;
          }
        }
      }
      require_runs(config, runs);
    }
  }
}

TEST_CASE("results are right for every kind of input", "[algorithms][sweep]") {
  for (const Algorithm& row : test::all_rows().on_agpu()) {
    for (RunConfig config : forms_of(row)) {
      int runs = 0;
      for (const std::string& input : row.inputs) {
        for (const std::int64_t n : {1, 255, 4096, 10007}) {
          for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{99}}) {
            config.n = n;
            config.input = input;
            config.seed = seed;
            config.spec.cores = 32 * 5;
            config.spec.shared_words = 2560;
            runs += check_run(row, config) ? 1 : 0;
          }
        }
      }
      require_runs(config, runs);
    }
  }
}

TEST_CASE("results are right for every n from 0 to 130", "[algorithms][sweep]") {
  for (const Algorithm& row : test::all_rows().on_agpu()) {
    for (RunConfig config : forms_of(row)) {
      for (config.n = 0; config.n <= 130; ++config.n) {
        config.input = row.inputs[static_cast<std::size_t>(config.n) % row.inputs.size()];
        config.spec.width = config.n % 2 == 0 ? 32 : 96;
        check_run(row, config);
      }
    }
  }
}

TEST_CASE("results and counts are the same for 1, 2 and all host threads",
          "[algorithms][threads]") {
  for (const Algorithm& row : test::all_rows().on_agpu()) {
    for (RunConfig config : forms_of(row)) {
      config.spec.shared_words = 4096;
      bool runs = false;
      for (const std::int64_t n : {50'000, 10'000, 2'000}) {
        config.n = n;
        try {
          const RunConfig resolved = resolve(row, config);
          if (n > 2'000 && !is_affordable(row, resolved)) continue;
          config = resolved;
          runs = true;
        } catch (const UsageError&) {
          continue;
        }
        break;
      }
      require_runs(config, runs ? 1 : 0);
      if (!runs) continue;
      CAPTURE(row.name, config.variant, config.type);
      const RunResult one = row.simulate(config, {1, true, true, {}});
      for (const int threads : {2, 5, 0}) {
        const RunResult other = row.simulate(config, {threads, true, true, {}});
        CHECK(other.checksum == one.checksum);
        CHECK(other.report.phases == one.report.phases);
        CHECK(other.report.time_total_max == one.report.time_total_max);
      }
    }
  }
}

}  // namespace
}  // namespace agpusim
