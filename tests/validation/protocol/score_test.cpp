#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/validation/protocol/protocol.hpp"

using namespace agpusim;
using namespace agpusim::protocol;
using Catch::Approx;

TEST_CASE("a score is of relative errors", "[validation][protocol]") {
  const Score score = score_of({1.1, 1.5, 4, 8}, {1, 2, 4, 10});  // +10, -25, 0, -20 %
  CHECK(score.rows == 4);
  CHECK(score.mape == Approx((0.1 + 0.25 + 0 + 0.2) / 4));
  CHECK(score.median == Approx(0.15));
  CHECK(score.worst == Approx(0.25));
  CHECK(score.spearman == Approx(1));
  CHECK(score_of({1, 1.2}, {1, 1}).within_10 == Approx(0.5));
}

TEST_CASE("contests are between runs with one result that differ clearly",
          "[validation][protocol]") {
  const auto row = [](const char* problem, double measured) {
    Row result;
    result.problem = problem;
    result.measured_ms = measured;
    return result;
  };
  const std::vector<Row> rows = {row("a", 1), row("a", 2), row("a", 1.05), row("b", 1),
                                 row("c", 9)};
  // 1 and 1.05 are too near; 1 and 2 and 2 and 1.05 are not.
  const Contests contests = contests_of(rows, {1, 2, 3, 1, 1});
  CHECK(contests.pairs == 2);
  CHECK(contests.right == 1);
}

TEST_CASE("the fit finds the constants that made the times", "[validation][protocol]") {
  DeviceFile device = test::fake_device();
  FittedConstants truth = FittedConstants::of(device);
  truth.first_launch = 4;
  truth.further_launch = 1;
  truth.cold_start = 0.3;
  truth.prologue_cycles = 4;
  truth.line_latency = 40;
  truth.overlap = 1.5;
  truth.overlap_growth = 0.05;
  std::vector<Row> rows;
  for (std::int64_t n = 1 << 10; n <= 1 << 22; n *= 2) {
    for (const int launches : {1, 3}) {
      Row row;
      row.config = test::fake_config(n);
      PhaseReport phase = test::fake_report(test::fake_config(n)).phases.front();
      row.phases.assign(static_cast<std::size_t>(launches), phase);
      row.measured_ms = predicted_ms(row, device, truth);
      rows.push_back(row);
    }
  }
  std::vector<const Row*> pointers;
  for (const Row& row : rows) pointers.push_back(&row);
  const FittedConstants fitted = fit(pointers, device);
  for (const Row& row : rows) {
    CHECK(predicted_ms(row, device, fitted) == Approx(row.measured_ms).epsilon(0.03));
  }
}
