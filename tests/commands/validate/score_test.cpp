#include <cmath>
#include <map>

#include <fmt/format.h>

#include "agpusim/commands/validate/coverage.hpp"
#include "agpusim/commands/validate/folds.hpp"
#include "agpusim/commands/validate/protocol.hpp"
#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/validation/records/data_folder.hpp"

using namespace agpusim;
using namespace agpusim::protocol;

namespace {

FitRow fit_row(const RunConfig& config, const std::string& problem = "", double measured = 0) {
  FitRow row{{.run = {.config = config}}};
  row.problem = problem;
  row.measured = Measurement{.ms = measured};
  return row;
}

}  // namespace

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
    return fit_row({}, problem, measured);
  };
  const std::vector<FitRow> rows = {row("a", 1), row("a", 2), row("a", 1.05), row("b", 1),
                                    row("c", 9)};
  // 1 and 1.05 are too near; 1 and 2 and 2 and 1.05 are not.
  const Contests contests = contests_of(rows, {1, 2, 3, 1, 1});
  CHECK(contests.pairs == 2);
  CHECK(contests.right == 1);
}

TEST_CASE("the fit finds the constants that made the times", "[validation][protocol]") {
  DeviceFile device = test::fake_device();
  const Predictor model = model_on(device);
  FittedConstants truth = FittedConstants::of(device);
  truth.first_launch = 4;
  truth.second_launch = 0.5;
  truth.further_launch = 1;
  truth.cold_start = 0.3;
  truth.prologue_cycles = 4;
  truth.line_latency = 40;
  truth.overlap = 1.5;
  truth.overlap_growth = 0.05;
  std::vector<FitRow> rows;
  for (std::int64_t n = 1 << 10; n <= 1 << 22; n *= 2) {
    for (const int launches : {1, 2, 4}) {
      FitRow row = fit_row(test::fake_config(n));
      PhaseReport phase = test::fake_report(test::fake_config(n)).phases.front();
      row.compiled.assign(static_cast<std::size_t>(launches), phase);
      row.measured->ms = model(row)(truth);
      rows.push_back(row);
    }
  }
  std::vector<const FitRow*> pointers;
  for (const FitRow& row : rows) pointers.push_back(&row);
  const FittedConstants fitted = fit(pointers, model);
  for (const FitRow& row : rows) {
    CHECK(model(row)(fitted) == Approx(row.measured->ms).epsilon(0.03));
  }
}

TEST_CASE("a crossing is found where the order changes once", "[validation][protocol]") {
  std::vector<FitRow> rows;
  std::vector<double> predicted;
  const auto add = [&](const char* algorithm, std::int64_t n, double measured, double by_counts) {
    rows.push_back(fit_row({.algorithm = algorithm, .n = n}, fmt::format("{}", n), measured));
    predicted.push_back(by_counts);
  };
  for (const std::int64_t n : {4, 16, 64, 256}) {
    const auto x = static_cast<double>(n);
    add("linear", n, x, x);
    add("constant", n, 32, 128);        // crosses at 32, predicted at 128: two octaves
    add("always slower", n, 1000, 99);  // crosses nobody, predicted or not
  }
  const Crossings found = crossings_of(rows, predicted);
  CHECK(found.measured == 1);
  CHECK(found.predicted == 1);
  CHECK(found.octaves == Approx(2));
  rows[1].measured->ms = 2;  // the constant one is faster at 4, slower at 16, faster from 64 on
  CHECK(crossings_of(rows, predicted).measured == 0);
}

TEST_CASE("a constant that is moved changes the error of what depends on it",
          "[validation][protocol]") {
  const DeviceFile device = test::fake_device();
  const FittedConstants fitted = FittedConstants::of(device);
  FitRow row = fit_row(test::fake_config(1 << 10));
  row.compiled.resize(1);
  row.compiled.front().tasks = 1;
  row.measured->ms = model_on(device)(row)(fitted);
  for (const Moved& moved : moved_constants({&row}, device, fitted)) {
    CAPTURE(moved.name);
    CHECK(moved.less >= 0);
    if (moved.name == "first_launch") CHECK(moved.less == Approx(0.2 * 3 / 3.05));
    CHECK(moved.name != "atomic_rate_4");  // nothing depends on it
  }
}

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

TEST_CASE("rows of a program without styles are left out by algorithm", "[cli][validate]") {
  std::ifstream all(data_folder() / "data" / "h100" / "table" / "times.jsonl");
  std::map<std::string, int> taken;
  std::string some;
  for (std::string line; std::getline(all, line);) {
    for (const std::string name : {"reduce", "vector_add"}) {
      if (line.find("\"algorithm\":\"" + name + "\"") == std::string::npos) continue;
      if (++taken[name] <= 5) some += line + "\n";
    }
  }
  const test::TempFolder folder;
  test::put(folder / "times.jsonl", some);
  const std::string own =
      test::output_of_cli("validate --json --own '" + folder.file("times.jsonl") + "'");
  const auto report = nlohmann::json::parse(own);
  std::map<std::string, nlohmann::json> by_fit;
  for (const auto& line : report["scores"]) {
    by_fit[line["predicted"].get<std::string>() + " / " + line["fitted_to"].get<std::string>()] =
        line;
  }
  CHECK(by_fit.at("from counts / (device file)")["rows"] == 10);
  CHECK(by_fit.at("from counts, each algorithm left out / the other algorithms")["rows"] == 10);
  CHECK(by_fit.at("from counts / the table on NVIDIA H200")["mape"] < 0.5);
  // Transposes and sorts, of which none is among what the constants are fitted to.
  CHECK(by_fit.at("the table on NVIDIA H100 80GB HBM3 / these, from counts")["rows"] == 594);
}
