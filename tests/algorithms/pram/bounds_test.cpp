#include <algorithm>
#include <cstdint>
#include <limits>

#include "agpusim/algorithms/pram_registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/pram_rows.hpp"

// The bounds that a variant of a PRAM algorithm states: over sizes, the quotients of steps,
// processors and work and their bounds stay between constants.
namespace agpusim {
namespace {

/// Most that the largest quotient may be of the smallest.
constexpr double most_spread = 3;

class Quotients {
 public:
  void add(std::int64_t count, double bound) {
    const double quotient = static_cast<double>(count) / bound;
    least_ = std::min(least_, quotient);
    most_ = std::max(most_, quotient);
  }
  [[nodiscard]] double spread() const { return most_ / least_; }

 private:
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = 0;
};

struct Runs {
  int count = 0;
  Quotients steps;
  Quotients processors;
  Quotients work;
};

/// The runs of a variant: by its closed form, which pram_sweep_test.cpp compares with the machine,
/// and itself where n is small.
Runs runs_of(const PramAlgorithm& row, const PramVariant& variant, const PramBound& bound) {
  Runs runs;
  const bool has_keys =
      std::any_of(row.parameters.begin(), row.parameters.end(),
                  [](const PramParameter& parameter) { return parameter.name == "range"; });
  for (std::int64_t power = 64; power <= (has_keys ? 1 << 16 : 1 << 30); power *= 4) {
    for (const std::int64_t quarters : {4, 5, 7}) {
      PramRunConfig config;
      config.variant = variant.name;
      config.n = power / 4 * quarters;
      // More values than keys, which distinct keys need, and at most that.
      if (has_keys && quarters == 5) config.parameters["range"] = 2 * config.n;
      try {
        config = resolve(row, config, true);
      } catch (const UsageError&) {
        continue;
      }
      PramForm cost = row.closed_form(config);
      if (config.n < 512 && cost.work < 2'000'000) {
        const PramReport report = row.run(config, {1, false, 0}).report;
        cost = {report.time(), report.processors(), report.work()};
      }
      ++runs.count;
      runs.steps.add(cost.steps, bound.steps(config));
      runs.processors.add(cost.processors, bound.processors(config));
      runs.work.add(cost.work, bound.work(config));
    }
  }
  return runs;
}

TEST_CASE("counts on a PRAM divided by the bounds of their variant stay between constants",
          "[algorithms][pram][bounds]") {
  for (const PramAlgorithm& row : test::all_pram_rows().all()) {
    for (const PramVariant& variant : row.variants) {
      const Runs runs = runs_of(row, variant, variant.bound);
      CAPTURE(row.name, variant.name);
      CHECK(runs.count >= 12);
      CHECK(runs.steps.spread() <= most_spread);
      CHECK(runs.processors.spread() <= most_spread);
      CHECK(runs.work.spread() <= most_spread);
    }
  }
}

TEST_CASE("the bound of another variant on a PRAM is found out", "[algorithms][pram][bounds]") {
  const PramAlgorithm& scan = test::all_pram_rows().find("scan");
  const PramBound& blelloch = find_variant(scan, "blelloch").bound;
  CHECK(runs_of(scan, find_variant(scan, "hillis_steele"), blelloch).work.spread() > most_spread);
  CHECK(runs_of(scan, find_variant(scan, "dyadic"), blelloch).steps.spread() > most_spread);
  CHECK(runs_of(scan, find_variant(scan, "dyadic"), blelloch).processors.spread() > most_spread);
}

}  // namespace
}  // namespace agpusim
