#include <algorithm>
#include <limits>

#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/run.hpp"
#include "agpusim/tests/support/pram.hpp"

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

/// The runs of a variant: by its closed form (compared in sweep_test.cpp), and itself for small n.
Runs runs_of(const Algorithm& row, const Variant& variant, const PramBound& bound) {
  Runs runs;
  const bool has_keys =
      std::any_of(row.pram->parameters.begin(), row.pram->parameters.end(),
                  [](const Parameter& parameter) { return parameter.name == "range"; });
  for (std::int64_t power = 64; power <= (has_keys ? 1 << 16 : 1 << 30); power *= 4) {
    for (const std::int64_t quarters : {4, 5, 7}) {
      RunConfig config = run_on_pram();
      config.variant = variant.name;
      config.n = power / 4 * quarters;
      // More values than keys, which distinct keys need, and at most that.
      if (has_keys && quarters == 5) config.parameters["range"] = 2 * config.n;
      try {
        config = resolve(row, config, true);
      } catch (const UsageError&) {
        continue;
      }
      PramForm cost = row.pram->closed_form(config);
      if (config.n < 512 && cost.work < 2'000'000) {
        cost = counted_form(row.pram->run(config, {1, false, 0}).report);
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
  test::for_each_pram_variant([&](const Algorithm& row, const Variant& variant, const RunConfig&) {
    const Runs runs = runs_of(row, variant, variant.on_pram);
    CHECK(runs.count >= 12);
    CHECK(runs.steps.spread() <= most_spread);
    CHECK(runs.processors.spread() <= most_spread);
    CHECK(runs.work.spread() <= most_spread);
  });
}

TEST_CASE("the bound of another variant on a PRAM is found out", "[algorithms][pram][bounds]") {
  const Algorithm& scan = test::all_rows().find_on_pram("scan");
  const auto variant = [&](const char* name) -> const Variant& {
    return *find_variant(scan.name, *scan.pram, name);
  };
  const PramBound& blelloch = variant("blelloch").on_pram;
  CHECK(runs_of(scan, variant("hillis_steele"), blelloch).work.spread() > most_spread);
  CHECK(runs_of(scan, variant("dyadic"), blelloch).steps.spread() > most_spread);
  CHECK(runs_of(scan, variant("dyadic"), blelloch).processors.spread() > most_spread);
}

}  // namespace
}  // namespace agpusim
