#include "agpusim/commands/compare/order.hpp"

#include "agpusim/tests/commands/compare/comparison_cases.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim::contest;
using agpusim::test::made_rows;

namespace {

using Indices = std::vector<std::size_t>;

}  // namespace

TEST_CASE("the winners of a size share its smallest value", "[validation][comparison]") {
  const auto rows = made_rows({{10, {5, 3, 9}, {}},
                               {20, {4, 4, 4}, {}},
                               {30, {-1, 8, 8}, {}},
                               {40, {-1, 7, -1}, {}},
                               {50, {}, {2, 1, 0}}});
  CHECK(winners(rows[0], Measure::time) == Indices{1});
  CHECK(winners(rows[1], Measure::time) == Indices{0, 1, 2});
  CHECK(winners(rows[2], Measure::time) == Indices{1, 2});
  CHECK(winners(rows[3], Measure::time).empty());
  CHECK(winners(rows[4], Measure::measured) == Indices{1});
  CHECK(winners(rows[0], Measure::measured).empty());
}

TEST_CASE("stretches join neighbouring sizes with the same winners", "[validation][comparison]") {
  const auto rows = made_rows({{1, {1, 2}, {}},
                               {2, {1, 2}, {}},
                               {4, {-1, 2}, {}},
                               {8, {1, 2}, {}},
                               {16, {2, 2}, {}},
                               {32, {3, 2}, {}}});
  const auto found = stretches(rows, Measure::time);
  REQUIRE(found.size() == 3);
  CHECK(found[0].winners == Indices{0});
  CHECK(found[0].n_first == 1);
  CHECK(found[0].n_last == 8);
  CHECK(found[1].winners == Indices{0, 1});
  CHECK(found[1].n_first == 16);
  CHECK(found[2].winners == Indices{1});
  CHECK(found[2].n_last == 32);
  CHECK(stretches(rows, Measure::io).empty() == false);
  CHECK(stretches(rows, Measure::measured).empty());
}

TEST_CASE("the crossover of two power laws is interpolated exactly", "[validation][comparison]") {
  // 64 n and n^2 meet at n = 64; 5000 and n^2 / 2 at n = 100.
  const auto lines = made_rows({{10, {640, 100}, {}}, {1000, {64000, 1000000}, {}}});
  const PairOrder order = pair_order(lines, 0, 1, Measure::time);
  CHECK(order.sizes == 2);
  CHECK(order.first_ahead == 1);
  CHECK(order.second_ahead == 1);
  REQUIRE(order.crossovers.size() == 1);
  CHECK(order.crossovers[0].below == 1);
  CHECK(order.crossovers[0].above == 0);
  CHECK(order.crossovers[0].n_below == 10);
  CHECK(order.crossovers[0].n_above == 1000);
  REQUIRE(order.crossovers[0].n);
  CHECK(*order.crossovers[0].n == Approx(64));
  const auto swapped = pair_order(lines, 1, 0, Measure::time);
  CHECK(swapped.crossovers[0].below == 1);
  CHECK(*swapped.crossovers[0].n == Approx(64));
  const auto flat = made_rows({{20, {5000, 200}, {}}, {200, {5000, 20000}, {}}});
  CHECK(*pair_order(flat, 0, 1, Measure::time).crossovers.at(0).n == Approx(100));
}

TEST_CASE("an equal size is the crossover, one that is touched is none",
          "[validation][comparison]") {
  const auto met = made_rows({{10, {1, 2}, {}}, {100, {3, 3}, {}}, {1000, {9, 4}, {}}});
  const PairOrder order = pair_order(met, 0, 1, Measure::time);
  CHECK(order.sizes == 3);
  CHECK(order.first_ahead == 1);
  CHECK(order.second_ahead == 1);
  REQUIRE(order.crossovers.size() == 1);
  CHECK(*order.crossovers[0].n == Approx(100));
  CHECK(order.crossovers[0].n_below == 10);
  CHECK(order.crossovers[0].n_above == 1000);
  const auto twice =
      made_rows({{10, {1, 2}, {}}, {100, {3, 3}, {}}, {10000, {3, 3}, {}}, {1000000, {9, 4}, {}}});
  CHECK(*pair_order(twice, 0, 1, Measure::time).crossovers.at(0).n == Approx(1000));
  const auto touched = made_rows({{10, {1, 2}, {}}, {100, {3, 3}, {}}, {1000, {4, 9}, {}}});
  CHECK(pair_order(touched, 0, 1, Measure::time).crossovers.empty());
  const auto equal = made_rows({{10, {2, 2}, {}}, {100, {3, 3}, {}}});
  const PairOrder same = pair_order(equal, 0, 1, Measure::time);
  CHECK(same.first_ahead + same.second_ahead == 0);
  CHECK(same.crossovers.empty());
}

TEST_CASE("sizes at which one of a pair has no value are passed over", "[validation][comparison]") {
  const auto rows =
      made_rows({{1, {1, 2}, {}}, {2, {-1, 2}, {}}, {4, {9, -1}, {}}, {8, {9, 2}, {}}});
  const PairOrder order = pair_order(rows, 0, 1, Measure::time);
  CHECK(order.sizes == 2);
  REQUIRE(order.crossovers.size() == 1);
  CHECK(order.crossovers[0].n_below == 1);
  CHECK(order.crossovers[0].n_above == 8);
  CHECK(pair_order(rows, 0, 1, Measure::predicted).sizes == 0);
}

TEST_CASE("an order may change more than once, and a zero is not interpolated",
          "[validation][comparison]") {
  const auto rows =
      made_rows({{1, {0, 2}, {}}, {10, {3, 1}, {}}, {100, {1, 3}, {}}, {1000, {2, 3}, {}}});
  const PairOrder order = pair_order(rows, 0, 1, Measure::time);
  CHECK(order.first_ahead == 3);
  REQUIRE(order.crossovers.size() == 2);
  CHECK_FALSE(order.crossovers[0].n);
  CHECK(order.crossovers[0].above == 1);
  // log(3/1) above and below: the middle of the logarithms.
  CHECK(*order.crossovers[1].n == Approx(31.6227766));
  CHECK(order.crossovers[1].above == 0);
}

TEST_CASE("a measured crossover within the spread is not resolved", "[validation][comparison]") {
  const auto clear = made_rows({{10, {}, {1.0, 1.1}}, {100, {}, {2.2, 2.0}}});
  CHECK(pair_order(clear, 0, 1, Measure::measured).crossovers.at(0).resolved);
  // The ranges are 1 % to both sides.
  const auto blurred = made_rows({{10, {}, {1.0, 1.1}}, {100, {}, {2.02, 2.0}}});
  CHECK_FALSE(pair_order(blurred, 0, 1, Measure::measured).crossovers.at(0).resolved);
}

TEST_CASE("agreement counts where the winner by counts is the measured one",
          "[validation][comparison]") {
  const auto rows = made_rows({
      {1, {1, 2, 3}, {1.0, 2.0, 3.0}},    // right
      {2, {1, 2, 3}, {1.04, 1.0, 3.0}},   // wrong, but within 5 %
      {4, {1, 2, 3}, {1.06, 1.0, 3.0}},   // wrong
      {8, {2, 2, 3}, {1.0, 2.0, 3.0}},    // undecided
      {16, {1, 2, 3}, {1.0, 1.01, 3.0}},  // right, within the spread
      {32, {3, 2, -1}, {2.0, 1.5, 1.0}},  // right: the third is not counted
      {64, {1, -1, -1}, {1.0, 1.0, 1.0}}  // one contestant with both
  });
  const Agreement found = agreement(rows, Measure::time);
  CHECK(found.by == Measure::time);
  CHECK(found.sizes == 6);
  CHECK(found.right == 3);
  CHECK(found.near == 4);
  CHECK(found.undecided == 1);
  CHECK(found.overlapping == 1);
  CHECK(agreement(rows, Measure::predicted).sizes == 0);
}

TEST_CASE("predicted times whose intervals overlap cannot be told apart",
          "[validation][comparison]") {
  auto rows = made_rows({{1, {1, 2}, {}}, {2, {1, 2}, {}}, {4, {1, 2}, {}}});
  rows[0].entries[0].predicted = {1, "", {}, 0.9, 1.2};  // apart
  rows[0].entries[1].predicted = {2, "", {}, 1.8, 2.4};
  rows[1].entries[0].predicted = {1, "", {}, 0.5, 1.9};  // overlap
  rows[1].entries[1].predicted = {2, "", {}, 1.8, 2.4};
  rows[2].entries[0].predicted = {1, "", {}};  // nothing is known
  rows[2].entries[1].predicted = {2, "", {}};
  const PairOrder order = pair_order(rows, 0, 1, Measure::predicted);
  CHECK(order.first_ahead == 3);
  CHECK(order.not_told_apart == 1);
  CHECK(pair_order(rows, 0, 1, Measure::time).not_told_apart == 0);
}
