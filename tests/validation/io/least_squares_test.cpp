#include "agpusim/validation/io/least_squares.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/seed.hpp"

using namespace agpusim;

namespace {

using Rows = std::vector<std::vector<double>>;

/// Derivative of the squared norm of A x - y along x[j], without the factor 2.
double gradient(const Rows& rows, const std::vector<double>& y, const std::vector<double>& x,
                std::size_t j) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double residual = -y[i];
    for (std::size_t column = 0; column < x.size(); ++column) {
      residual += rows[i][column] * x[column];
    }
    sum += rows[i][j] * residual;
  }
  return sum;
}

}  // namespace

TEST_CASE("a system with a solution that is not negative", "[predict]") {
  const auto x = nonnegative_least_squares({{1, 2}, {3, 4}, {5, 6}}, {5, 11, 17});
  CHECK(x.at(0) == Catch::Approx(1));
  CHECK(x.at(1) == Catch::Approx(2));
}

TEST_CASE("without a constraint coefficients may be negative, and columns must differ",
          "[predict]") {
  const auto x = least_squares({{1, 1}, {1, 0}}, {1, 2});
  REQUIRE(x);
  CHECK(x->at(0) == Catch::Approx(2));
  CHECK(x->at(1) == Catch::Approx(-1));
  CHECK_FALSE(least_squares({{1, 2e9}, {2, 4e9}, {3, 6e9}}, {1, 2, 3}));
  CHECK_THROWS_AS(least_squares({{1}, {1, 2}}, {1, 2}), std::invalid_argument);
}

TEST_CASE("the minimum of squares that are not of linear functions", "[predict]") {
  const auto x = minimise_squares(
      [](const std::vector<double>& at) {
        return std::vector<double>{std::exp(at[0]) - 2, at[0] * at[1] - 1};
      },
      {0, 0});
  CHECK(x.at(0) == Catch::Approx(std::log(2)).epsilon(1e-3));
  CHECK(x.at(1) == Catch::Approx(1 / std::log(2)).epsilon(1e-3));
}

TEST_CASE("a coefficient that would be negative is 0", "[predict]") {
  // Without the constraint x = (2, -1); with x[1] = 0 the best x[0] is (1·1 + 1·2) / (1 + 1).
  const auto x = nonnegative_least_squares({{1, 1}, {1, 0}}, {1, 2});
  CHECK(x.at(0) == Catch::Approx(1.5));
  CHECK(x.at(1) == 0);
  // Every direction leads away from y.
  CHECK(nonnegative_least_squares({{1, 2}, {1, 3}}, {-1, -1}) == std::vector<double>{0, 0});
}

TEST_CASE("columns of very different size and equal columns", "[predict]") {
  const auto x = nonnegative_least_squares({{1e-9, 1}, {1e-9, 2}, {2e-9, 1}}, {4, 5, 7});
  CHECK(x.at(0) == Catch::Approx(3e9));
  CHECK(x.at(1) == Catch::Approx(1));
  const auto twice = nonnegative_least_squares({{1, 1, 0}, {2, 2, 0}}, {3, 6});
  CHECK(twice.at(0) + twice.at(1) == Catch::Approx(3));
  CHECK(twice.at(2) == 0);
}

TEST_CASE("the solution is optimal: Karush, Kuhn and Tucker", "[predict]") {
  Random bits(test_seed());
  INFO("AGPUSIM_TEST_SEED=" << test_seed());
  const auto number = [&] { return static_cast<double>(bits() >> 11) / 9007199254740992.0 - 0.5; };
  int clamped = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t columns = 1 + bits() % 4;
    const std::size_t count = columns + bits() % 4;
    Rows rows(count, std::vector<double>(columns));
    std::vector<double> y(count);
    for (std::size_t i = 0; i < count; ++i) {
      y[i] = number();
      for (double& entry : rows[i]) entry = number();
    }
    const auto x = nonnegative_least_squares(rows, y);
    REQUIRE(x.size() == columns);
    for (std::size_t j = 0; j < columns; ++j) {
      INFO("trial " << trial << ", column " << j << ", x = " << x[j]);
      CHECK(x[j] >= 0);
      const double slope = gradient(rows, y, x, j);
      if (x[j] > 0) {
        CHECK(std::abs(slope) < 1e-9);
      } else {
        CHECK(slope > -1e-9);
        ++clamped;
      }
    }
  }
  CHECK(clamped > 50);
}

TEST_CASE("systems without a shape are refused", "[predict]") {
  CHECK_THROWS_AS(nonnegative_least_squares({}, {}), std::invalid_argument);
  CHECK_THROWS_AS(nonnegative_least_squares({{}}, {1}), std::invalid_argument);
  CHECK_THROWS_AS(nonnegative_least_squares({{1}, {1, 2}}, {1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(nonnegative_least_squares({{1}}, {1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(nonnegative_least_squares({std::vector<double>(11, 1.0)}, {1}),
                  std::invalid_argument);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(nonnegative_least_squares({{nan}}, {1}), std::invalid_argument);
  CHECK_THROWS_AS(nonnegative_least_squares({{1}}, {nan}), std::invalid_argument);
}
