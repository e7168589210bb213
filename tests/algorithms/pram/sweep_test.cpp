#include <algorithm>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/pram.hpp"
#include "agpusim/tests/support/seed.hpp"

// Every row of the table of PRAM algorithms: the output equals the sequential reference, and steps,
// processors and work equal the closed form.
namespace agpusim {
namespace {

constexpr PramAccess all_accesses[] = {
    PramAccess::erew,     PramAccess::crew,   PramAccess::common, PramAccess::arbitrary,
    PramAccess::priority, PramAccess::sum,    PramAccess::max,    PramAccess::min,
    PramAccess::bit_or,   PramAccess::bit_xor};

bool runs_on(const Variant& variant, PramAccess access) {
  return std::find(variant.machines.begin(), variant.machines.end(), access) !=
         variant.machines.end();
}

std::string parameters_of(const RunConfig& config) {
  std::string text;
  for (const auto& [name, value] : config.parameters) {
    text += name + " = " + std::to_string(value) + " ";
  }
  return text;
}

bool has_parameter(const Algorithm& row, const std::string& name) {
  return std::any_of(row.pram->parameters.begin(), row.pram->parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == name; });
}

/// A run of n elements whose input, seed and keys differ from one n to the next.
RunConfig varied(const Algorithm& row, const std::string& variant, std::int64_t n) {
  const auto k = static_cast<std::size_t>(n);
  RunConfig config = run_on_pram();
  config.variant = variant;
  config.n = n;
  config.input = row.pram->inputs[k % row.pram->inputs.size()];
  config.seed = test_seed() + k;
  if (has_parameter(row, "range")) {
    const std::vector<std::int64_t> ranges = {n + 1, n / 2 + 1, 2 * n + 3, 1 + n % 50};
    const std::vector<std::int64_t> minima = {0, -7, -(std::int64_t{1} << 31), 1'000'000};
    // Strides without a common factor, so that every combination with the inputs comes up.
    config.parameters["range"] = ranges[k / 3 % ranges.size()];
    config.parameters["min"] = minima[k / 5 % minima.size()];
    if (n % 7 == 0) config.parameters["values"] = config.parameters["range"] / 2 + 1;
  }
  return config;
}

/// Runs when the row accepts the configuration; returns whether it did.
bool check_run(const Algorithm& row, RunConfig config, bool own_machine) {
  try {
    config = resolve(row, config, own_machine);
  } catch (const UsageError&) {
    return false;
  }
  CAPTURE(row.name, config.variant, config.n, config.input, config.seed, parameters_of(config),
          config.pram->to_string());
  const PramRunResult result = row.pram->run(config, {1, false, 0});
  const PramForm form = row.pram->closed_form(config);
  REQUIRE(result.correct);
  REQUIRE(result.report.time() == form.steps);
  REQUIRE(result.report.processors() == form.processors);
  REQUIRE(result.report.work() == form.work);
  return true;
}

/// Whether a row has a result for no numbers; one without refuses n = 0.
bool takes_no_numbers(const Algorithm& row) {
  return row.name != "minmax" && row.name != "statistics";
}

/// Sizes that a test can afford.
struct Affordable {
  std::int64_t last = 2000;
  std::int64_t dense = 300;  ///< up to here all
  std::int64_t one = 5000;
};

/// Fewer where a variant works on every pair or triple of elements, or takes n steps.
Affordable affordable(const Algorithm& row, const std::string& variant) {
  RunConfig config = run_on_pram();
  config.n = 1000;
  config.variant = variant;
  const PramForm form = row.pram->closed_form(resolve(row, config, true));
  if (form.work >= 100'000'000) return {60, 60, 100};
  if (form.work >= 1'000'000 || form.steps >= 1000) return {600, 150, 200};
  return {};
}

/// 0, 1, 2, ... densely, then at distances without a pattern, and the neighbours of powers of two.
std::vector<std::int64_t> sizes(std::int64_t last, std::int64_t dense) {
  std::vector<std::int64_t> result;
  for (std::int64_t n = 0; n <= last; ++n) {
    const std::int64_t mask = n & (n - 1);
    const bool near_power = mask == 0 || ((n + 1) & n) == 0 || ((n - 1) & (n - 2)) == 0;
    if (n <= dense || near_power || n % 13 == 5) result.push_back(n);
  }
  return result;
}

TEST_CASE("every PRAM algorithm is right and costs what its closed form says",
          "[algorithms][pram][sweep]") {
  test::for_each_pram_variant([&](const Algorithm& row, const Variant& variant, const RunConfig&) {
    const Affordable afford = affordable(row, variant.name);
    int runs = 0;
    int refused = 0;
    for (const std::int64_t n : sizes(afford.last, afford.dense)) {
      (check_run(row, varied(row, variant.name, n), true) ? runs : refused) += 1;
    }
    CAPTURE(runs, refused);
    CHECK(runs > 50);
    CHECK(refused < 2 * runs);  // distinct keys that do not fit the range
  });
}

TEST_CASE("every PRAM algorithm is right for every kind of input", "[algorithms][pram][sweep]") {
  test::for_each_pram_variant([&](const Algorithm& row, const Variant&, RunConfig config) {
    for (const std::string& input : row.pram->inputs) {
      for (const std::int64_t n : {0, 1, 2, 63, 100}) {
        config.n = n;
        config.input = input;
        config.seed = test_seed();
        CAPTURE(input, n);
        CHECK(check_run(row, config, true) == (n > 0 || takes_no_numbers(row)));
      }
    }
  });
}

TEST_CASE("every PRAM algorithm is right on every machine that it names and refused on others",
          "[algorithms][pram][machines]") {
  test::for_each_pram_variant([&](const Algorithm& row, const Variant& variant, RunConfig config) {
    for (const PramAccess access : all_accesses) {
      const bool named = runs_on(variant, access);
      for (const std::int64_t n : {0, 1, 2, 3, 64, 101}) {
        config.n = n;
        config.seed = test_seed() + 1;
        config.pram->access = access;
        CAPTURE(to_string(access), n);
        CHECK(check_run(row, config, false) == (named && (n > 0 || takes_no_numbers(row))));
      }
    }
  });
}

TEST_CASE("a machine that is refused breaks a rule or gives a wrong result",
          "[algorithms][pram][machines]") {
  test::for_each_pram_variant([&](const Algorithm& row, const Variant& variant, RunConfig config) {
    for (const PramAccess access : all_accesses) {
      if (runs_on(variant, access)) continue;
      CAPTURE(to_string(access));
      bool always_right = true;
      for (std::uint64_t seed = 1; seed <= 16 && always_right; ++seed) {
        config.n = 100;
        config.seed = seed;
        RunConfig run = resolve(row, config, true);
        run.pram->access = access;
        try {
          always_right = row.pram->run(run, {1, false, 0}).correct;
        } catch (const RuleViolation&) {
          always_right = false;
        }
      }
      CHECK_FALSE(always_right);
    }
  });
}

TEST_CASE("a machine that counts writers runs what only writes 1", "[algorithms][pram][count]") {
  std::vector<std::string> accepted;
  test::for_each_pram_variant([&](const Algorithm& row, const Variant& variant, RunConfig config) {
    if (!runs_on(variant, PramAccess::sum)) return;
    config.n = 77;
    config.pram->access = PramAccess::sum;
    config.pram->sum = SumReading::count;
    if (!check_run(row, config, false)) return;
    accepted.push_back(row.name + " " + variant.name);
    const PramRunResult result = row.pram->run(resolve(row, config, false), {1, true, 0});
    REQUIRE_FALSE(result.trace.steps.empty());
    for (const PramStepTrace& step : result.trace.steps) {
      for (const PramAccessRecord& write : step.writes) CHECK(write.value == 1);
    }
  });
  std::sort(accepted.begin(), accepted.end());
  CHECK(accepted == std::vector<std::string>{"histogram sum_crcw", "parity sum_crcw"});
}

TEST_CASE("results and counts on a PRAM are the same for 1, 2 and all host threads",
          "[algorithms][pram][threads]") {
  test::for_each_pram_variant([&](const Algorithm& row, const Variant& variant, RunConfig config) {
    config.n = affordable(row, variant.name).one;
    config = resolve(row, config, true);
    const PramRunResult one = row.pram->run(config, {1, false, 0});
    CHECK(one.correct);
    for (const int threads : {2, 0}) {
      const PramRunResult other = row.pram->run(config, {threads, false, 0});
      CHECK(other.output == one.output);
      CHECK(other.report.steps == one.report.steps);
    }
  });
}

}  // namespace
}  // namespace agpusim
