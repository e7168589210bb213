#include "agpusim/commands/validate/folds.hpp"

#include "agpusim/tests/support/catch.hpp"

using namespace agpusim::protocol;

TEST_CASE("rows of one style are left out together", "[validation][protocol]") {
  std::vector<FitRow> rows(4);
  rows[0].style = rows[2].style = "tiles";
  rows[1].style = rows[3].style = "trees";
  rows[3].run.config.algorithm = "another";
  const std::vector<Fold> folds = folds_of(rows, [](const FitRow& row) { return row.style; });
  REQUIRE(folds.size() == 2);
  CHECK(folds[0].name == "tiles");
  CHECK(folds[0].left_out == Rows{&rows[0], &rows[2]});
  CHECK(folds[0].fitted_to == Rows{&rows[1], &rows[3]});
  CHECK(folds[1].left_out == Rows{&rows[1], &rows[3]});
}
