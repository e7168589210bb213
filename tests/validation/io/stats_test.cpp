#include "agpusim/validation/io/stats.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "agpusim/tests/support/catch.hpp"

using agpusim::Spread;

TEST_CASE("median and quantiles of hand values", "[validation][stats]") {
  CHECK(agpusim::median({3, 1, 2}) == 2);
  CHECK(agpusim::median({4, 1, 3, 2}) == 2.5);
  CHECK(agpusim::median({7}) == 7);
  CHECK(agpusim::quantile({10, 20, 30, 40, 50}, 0) == 10);
  CHECK(agpusim::quantile({10, 20, 30, 40, 50}, 1) == 50);
  CHECK(agpusim::quantile({10, 20, 30, 40, 50}, 0.1) == Approx(14));
  CHECK_THROWS_AS(agpusim::quantile({1, 2}, 1.5), std::invalid_argument);
  CHECK_THROWS_AS(agpusim::quantile({1, 2}, -0.1), std::invalid_argument);
}

TEST_CASE("spread is the range of few samples and 5 to 95 percent of many", "[validation][stats]") {
  const Spread few = agpusim::low_high({5, 1, 9});
  CHECK(few.low == 1);
  CHECK(few.high == 9);
  std::vector<double> many;
  for (int i = 0; i <= 100; ++i) many.push_back(i);
  const Spread quantiles = agpusim::low_high(many);
  CHECK(quantiles.low == Approx(5));
  CHECK(quantiles.high == Approx(95));
}

TEST_CASE("mean of hand values", "[validation][stats]") { CHECK(agpusim::mean({1, 2, 6}) == 3); }

TEST_CASE("pearson and spearman of hand values", "[validation][stats]") {
  CHECK(agpusim::pearson({1, 2, 3}, {10, 20, 30}) == Approx(1));
  CHECK(agpusim::pearson({1, 2, 3}, {3, 2, 1}) == Approx(-1));
  // Products of deviations: 4, squares: 5 each.
  CHECK(agpusim::pearson({1, 2, 3, 4}, {1, 3, 2, 4}) == Approx(0.8));
  CHECK(agpusim::spearman({1, 2, 3, 4}, {1, 100, 10000, 1000000}) == Approx(1));
  CHECK(agpusim::spearman({1, 2, 3, 4}, {1, 9, 4, 16}) == Approx(0.8));
  CHECK(std::isnan(agpusim::pearson({1, 1}, {1, 2})));
  CHECK(std::isnan(agpusim::spearman({1, 2}, {3, 3})));
}

TEST_CASE("spearman gives equal values their average rank", "[validation][stats]") {
  // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5).
  CHECK(agpusim::spearman({1, 2, 2, 3}, {1, 2, 3, 4}) == Approx(4.5 / std::sqrt(22.5)));
  CHECK(agpusim::spearman({1, 2, 3, 4}, {1, 2, 2, 3}) == Approx(4.5 / std::sqrt(22.5)));
}

TEST_CASE("mape tells results that are wrong by a factor", "[validation][stats]") {
  CHECK(agpusim::mape({1, 2}, {1, 2}) == 0);
  CHECK(agpusim::mape({1.1, 0.9}, {1, 1}) == Approx(0.1));
  CHECK(agpusim::mape({2}, {1}) == Approx(1));
  CHECK(agpusim::mape({3}, {1}) == Approx(2));
  CHECK(agpusim::mape({1}, {3}) == Approx(2.0 / 3));
  CHECK(agpusim::mape({0}, {3}) == Approx(1));
  // Errors of opposite sign do not cancel.
  CHECK(agpusim::mape({2, 0}, {1, 1}) == Approx(1));
  CHECK_THROWS_AS(agpusim::mape({1}, {0}), std::invalid_argument);
  CHECK_THROWS_AS(agpusim::mape({1}, {-1}), std::invalid_argument);
}

TEST_CASE("statistics refuse samples that have none", "[validation][stats]") {
  const std::vector<double> none;
  const std::vector<double> bad = {1, std::numeric_limits<double>::quiet_NaN()};
  for (const auto& sample : {none, bad}) {
    CHECK_THROWS_AS(agpusim::mean(sample), std::invalid_argument);
    CHECK_THROWS_AS(agpusim::median(sample), std::invalid_argument);
    CHECK_THROWS_AS(agpusim::quantile(sample, 0.5), std::invalid_argument);
    CHECK_THROWS_AS(agpusim::low_high(sample), std::invalid_argument);
    CHECK_THROWS_AS(agpusim::pearson(sample, sample), std::invalid_argument);
    CHECK_THROWS_AS(agpusim::spearman(sample, sample), std::invalid_argument);
    CHECK_THROWS_AS(agpusim::mape(sample, sample), std::invalid_argument);
  }
  CHECK_THROWS_AS(agpusim::pearson({1, 2}, {1}), std::invalid_argument);
  CHECK_THROWS_AS(agpusim::spearman({1, 2}, {1}), std::invalid_argument);
  CHECK_THROWS_AS(agpusim::mape({1, 2}, {1}), std::invalid_argument);
}
