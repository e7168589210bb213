#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/common/pram/numbers.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/rows.hpp"
#include "agpusim/tests/support/seed.hpp"

// Extremes and sums of squares on a PRAM (theory 3.13), and that the programs printed in seed 003,
// which these rows repair, are wrong where the rows are right (theory 8, N3 to N6).
namespace agpusim::pram_statistics_test {
namespace {

using Numbers = std::vector<std::int64_t>;
__extension__ using Wide = __int128;

const std::vector<std::string> rows = {"minmax", "statistics"};

RunConfig configure(const std::string& row, const std::string& variant, std::int64_t n,
                    const std::string& input) {
  RunConfig config = run_on_pram();
  config.variant = variant;
  config.n = n;
  config.input = input;
  config.seed = test_seed() + static_cast<std::uint64_t>(n);
  return resolve(test::all_rows().find_on_pram(row), config, true);
}

RunConfig configure(const std::string& row, const std::string& variant, const Numbers& x) {
  return configure(row, variant, static_cast<std::int64_t>(x.size()),
                   fmt::format("values:{}", fmt::join(x, ",")));
}

PramRunResult run(const RunConfig& config) {
  return test::all_rows().find_on_pram(config.algorithm).pram->run(config, {1, true, 0});
}

/// The output for x on a machine with words of `word_bits`.
Numbers output(const std::string& row, const std::string& variant, const Numbers& x,
               std::int32_t word_bits = 64) {
  RunConfig config = configure(row, variant, x);
  config.pram->word_bits = word_bits;
  return run(config).output;
}

Numbers expected(const std::string& row, const Numbers& x) {
  if (row == "minmax") {
    const auto [least, greatest] = std::minmax_element(x.begin(), x.end());
    return {*least, *greatest};
  }
  Wide sum = 0;
  Wide squares = 0;
  for (const Wide value : x) {
    sum += value;
    squares += value * value;
  }
  return {static_cast<std::int64_t>(sum), static_cast<std::int64_t>(squares)};
}

/// How often 1 is doubled until it is at least n.
std::int64_t doublings(std::int64_t n) {
  std::int64_t times = 0;
  while ((std::int64_t{1} << times) < n) ++times;
  return times;
}

struct Cost {
  std::int64_t steps;
  std::int64_t processors;
  std::int64_t work;
  std::int64_t contention;
  std::int64_t qrqw_time;

  friend bool operator==(const Cost&, const Cost&) = default;
};

Cost cost_of(const PramReport& report) {
  return {report.time(), report.processors(), report.work(), report.contention(),
          report.qrqw_time()};
}

/// Counted by hand; none for the variants that are built from the algorithms of `maximum`.
std::optional<Cost> hand_count(const std::string& row, const std::string& variant, std::int64_t n) {
  const std::int64_t even = n + n % 2;
  const std::int64_t rounds = doublings(even);
  const std::int64_t levels = doublings(n);
  if (variant == "max_crcw") return Cost{3, n, 2 * n + 1, n, 2 * n + 1};
  if (variant == "sum_crcw") return Cost{2, n, 2 * n, n, 2 * n};
  if (variant == "tree") return Cost{levels + 1, n, 3 * n - 2, 1, levels + 1};
  if (variant != "tournament") return {};
  if (row == "minmax") return Cost{2 * rounds, even / 2, even * rounds, 1, 2 * rounds};
  return Cost{4 * rounds + 2, n, 2 * even * rounds + 2 * n, 1, 4 * rounds + 2};
}

TEST_CASE("extremes and sums of 1 to 300 numbers of every kind", "[pram][statistics]") {
  for (const std::string& row : rows) {
    for (const Variant& variant : test::all_rows().find_on_pram(row).pram->variants) {
      const std::int64_t last = variant.name == "common_quadratic" ? 60 : 300;
      for (std::int64_t n = 1; n <= last; ++n) {
        for (const std::string& input : test::all_rows().find_on_pram(row).pram->inputs) {
          CAPTURE(row, variant.name, n, input);
          const RunConfig config = configure(row, variant.name, n, input);
          const PramRunResult result = run(config);
          REQUIRE(result.output == expected(row, generate_numbers(config)));
          REQUIRE(result.correct);
          const std::optional<Cost> cost = hand_count(row, variant.name, n);
          if (cost) REQUIRE(cost_of(result.report) == *cost);
        }
      }
    }
  }
}

TEST_CASE("the 8 records of seed 003", "[pram][statistics][golden]") {
  const Numbers records = {5, 3, 8, 1, 7, 2, 6, 4};
  for (const Variant& variant : test::all_rows().find_on_pram("minmax").pram->variants) {
    CHECK(output("minmax", variant.name, records) == Numbers{1, 8});
  }
  for (const Variant& variant : test::all_rows().find_on_pram("statistics").pram->variants) {
    const Numbers sums = output("statistics", variant.name, records);
    CHECK(sums == Numbers{36, 204});
    // Mean 4.5 and variance 5.25.
    CHECK(2 * sums[0] == 9 * 8);
    CHECK(4 * (8 * sums[1] - sums[0] * sums[0]) == 21 * 8 * 8);
  }
  const PramRunResult rounds = run(configure("minmax", "tournament", records));
  CHECK(rounds.report.time() == 2 * 3);
  CHECK(rounds.report.processors() == 4);
  // Figure 3.3: the first thread sends the 5 to the first record and the 3 to the fifth.
  const PramTraceArray& round = rounds.trace.arrays.at(1);
  const PramAccessRecord& larger = rounds.trace.steps[0].writes[0];
  const PramAccessRecord& smaller = rounds.trace.steps[1].writes[0];
  CHECK(Numbers{larger.cell - round.first, larger.value} == Numbers{0, 5});
  CHECK(Numbers{smaller.cell - round.first, smaller.value} == Numbers{4, 3});
}

TEST_CASE("extremes of words that have no negation", "[pram][statistics]") {
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  for (const Variant& variant : test::all_rows().find_on_pram("minmax").pram->variants) {
    CAPTURE(variant.name);
    CHECK(output("minmax", variant.name, {0, greatest, least, -1, 7}) == Numbers{least, greatest});
    CHECK(output("minmax", variant.name, {-128, 127, 5}, 8) == Numbers{-128, 127});
    CHECK(output("minmax", variant.name, {least}) == Numbers{least, least});
  }
}

TEST_CASE("sums that need more bits than a word break a rule", "[pram][statistics]") {
  const std::int64_t root = 3037000499;  // the square of root + 1 is more than 2^63
  for (const Variant& variant : test::all_rows().find_on_pram("statistics").pram->variants) {
    CAPTURE(variant.name);
    const auto sums = [&](const Numbers& x, std::int32_t word_bits) {
      return output("statistics", variant.name, x, word_bits);
    };
    CHECK(sums({-root}, 64) == Numbers{-root, root * root});
    CHECK_THROWS_WITH(sums({-root - 1}, 64), says("square of -3037000500"));
    CHECK_THROWS_AS(sums({root, root}, 64), RuleViolation);
    CHECK(sums({-11}, 8) == Numbers{-11, 121});
    CHECK_THROWS_AS(sums({12}, 8), RuleViolation);
    CHECK_THROWS_AS(sums({9, 9}, 8), RuleViolation);
  }
  // 0..65536, whose sum is the first that the int of seed 003 cannot hold.
  RunConfig config = configure("statistics", "tournament", 65537, "sorted");
  CHECK(run(config).output == Numbers{2147516416, 2147516416 * (131073 / 3)});
  config.pram->word_bits = 32;
  CHECK_THROWS_AS(run(config), RuleViolation);
}

TEST_CASE("a pair needs two reads in a step, a concurrent write one", "[pram][statistics]") {
  for (const std::string& row : rows) {
    for (const Variant& variant : test::all_rows().find_on_pram(row).pram->variants) {
      CAPTURE(row, variant.name);
      RunConfig config = configure(row, variant.name, 9, "signed");
      config.pram->reads_per_step = 1;
      if (variant.name == "max_crcw" || variant.name == "sum_crcw") {
        CHECK(run(config).correct);
      } else {
        CHECK_THROWS_AS(run(config), RuleViolation);
      }
    }
  }
}

TEST_CASE("extremes and means of no numbers, and machines of another rule, are refused",
          "[pram][statistics][refusal]") {
  for (const std::string& row : rows) {
    for (const Variant& variant : test::all_rows().find_on_pram(row).pram->variants) {
      for (const char* const input : {"", "values:"}) {
        CHECK_THROWS_WITH(configure(row, variant.name, 0, input), says(row + ": n = 0", "--n 8"));
      }
    }
  }
  RunConfig config = run_on_pram();
  config.n = 8;
  config.pram->access = PramAccess::sum;
  CHECK_THROWS_WITH(resolve(test::all_rows().find_on_pram("minmax"), config, false),
                    says("works on: max"));
  config.pram->sum = SumReading::count;
  CHECK_THROWS_WITH(resolve(test::all_rows().find_on_pram("statistics"), config, false),
                    says("counts writers"));
  CHECK_THROWS_WITH(configure("minmax", "common_quadratic", (std::int64_t{1} << 31) + 1, ""),
                    says("n^2 processors"));
}

// ---- the programs of seed 003, with its cells 1..N ----

/// Figure 3.1 without its thread out of bounds: data[1] and data[N] after `rounds` rounds.
Numbers printed_minmax(const Numbers& x, std::int64_t rounds) {
  const std::size_t n = x.size();
  Numbers data = {0};
  data.insert(data.end(), x.begin(), x.end());
  for (std::int64_t round = 0; round < rounds; ++round) {
    const Numbers data2 = data;
    for (std::size_t i = 1; i <= n / 2; ++i) {
      const auto [low, high] = std::minmax(data2[2 * i], data2[2 * i - 1]);
      data[i] = high;
      data[n / 2 + i] = low;
    }
  }
  return {data[n], data[1]};
}

/// A rotation of 0..n-1 of which printed_minmax says something wrong.
std::optional<Numbers> counterexample(std::int64_t n, std::int64_t rounds) {
  Numbers x(static_cast<std::size_t>(n));
  std::iota(x.begin(), x.end(), 0);
  for (std::int64_t shift = 0; shift < n; ++shift) {
    if (printed_minmax(x, rounds) != Numbers{0, n - 1}) return x;
    std::rotate(x.begin(), x.begin() + 1, x.end());
  }
  return {};
}

TEST_CASE("the printed minimum and maximum need an even N and ceil(lg N) rounds",
          "[pram][statistics][seed003]") {
  for (std::int64_t n = 2; n <= 68; ++n) {
    CAPTURE(n);
    const std::int64_t rounds = doublings(n);
    const auto natural = static_cast<std::int64_t>(std::log(static_cast<double>(n)));
    std::vector<std::optional<Numbers>> wrong = {counterexample(n, natural)};
    if (n % 2 != 0) wrong.push_back(counterexample(n, rounds));
    if (n % 2 == 0) REQUIRE_FALSE(counterexample(n, rounds));
    if ((n & (n - 1)) != 0) wrong.push_back(counterexample(n, rounds - 1));
    for (const std::optional<Numbers>& x : wrong) {
      REQUIRE(x);
      REQUIRE(output("minmax", "tournament", *x) == Numbers{0, n - 1});
    }
  }
}

enum class Order { forward, backward, lockstep };

/// Kernel calAve of figure 3.5, which stores to data[2i] where data[i] is meant: data[1] after
/// ⌈lg N⌉ rounds, its threads one after the other or all at once.
std::int64_t printed_sum(const Numbers& x, Order order) {
  const std::size_t n = x.size();
  const std::size_t half = n / 2;
  Numbers data = {0};
  data.insert(data.end(), x.begin(), x.end());
  for (std::int64_t round = 0; round < doublings(static_cast<std::int64_t>(n)); ++round) {
    const auto add = [&](std::size_t i) { data[2 * i] += data[2 * i - 1]; };
    const auto clear = [&](std::size_t i) { data[half + i] = 0; };
    for (std::size_t k = 1; k <= half; ++k) {
      const std::size_t i = order == Order::backward ? half + 1 - k : k;
      add(i);
      if (order != Order::lockstep) clear(i);
    }
    for (std::size_t i = 1; order == Order::lockstep && i <= half; ++i) clear(i);
  }
  return data[1];
}

TEST_CASE("the printed sum leaves the first record as it was", "[pram][statistics][seed003]") {
  const Numbers records = {1, 2, 3, 4, 5, 6, 7, 8};
  for (const Order order : {Order::forward, Order::backward, Order::lockstep}) {
    CHECK(printed_sum(records, order) == 1);
  }
  CHECK(output("statistics", "tournament", records) == Numbers{36, 204});
}

}  // namespace
}  // namespace agpusim::pram_statistics_test
