#include "agpusim/commands/validate/coverage.hpp"

#include <cmath>

#include "agpusim/tests/support/catch.hpp"

using namespace agpusim::protocol;

TEST_CASE("rows lie inside intervals that other styles give", "[validation][protocol]") {
  std::vector<LeftOut> errors;
  for (const double ratio : {0.5, 1.0, 2.0}) errors.push_back({"wide", false, std::log(ratio)});
  for (const double ratio : {0.9, 1.0, 1.1}) errors.push_back({"narrow", false, std::log(ratio)});
  errors.push_back({"wide", true, 0});  // one style only: nothing to compare with

  const std::vector<Coverage> found = coverage_of("counts", errors);
  REQUIRE(found.size() == 1);
  CHECK(found[0].from == "counts");
  CHECK(found[0].limited == "otherwise");
  CHECK(found[0].rows == 6);
  CHECK(found[0].inside == 4);  // all that is narrow, and 1.0 of what is wide
  // Quantiles of 4 and 96 % of six: a fifth of the way from the outermost to the next ones.
  CHECK(found[0].low == Approx(0.5 * std::pow(0.9 / 0.5, 0.2)));
  CHECK(found[0].high == Approx(2.0 * std::pow(1.1 / 2.0, 0.2)));
}
