#include "agpusim/commands/sweep/series.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "agpusim/commands/sweep/fits.hpp"
#include "agpusim/commands/sweep/row_file.hpp"
#include "agpusim/commands/sweep/to_report.hpp"
#include "agpusim/model/pram/run.hpp"
#include "agpusim/tests/support/rows.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/records/record.hpp"
#include "agpusim/validation/rows/evaluate.hpp"

using namespace agpusim;
using namespace agpusim::sweep;

namespace {

AgpuSpec small_machine(std::int64_t cores = 256) {
  return AgpuSpec{.cores = cores, .shared_words = 4096};
}

Run run_of(const std::string& algorithm, std::int64_t n, const AgpuSpec& spec = small_machine(),
           const std::string& variant = "") {
  Run run{.program = variant.empty() ? algorithm : algorithm + ":" + variant};
  run.algorithm = &test::row(algorithm);
  run.config.algorithm = algorithm;
  run.config.variant = variant;
  run.config.type = "";
  run.config.input = "";
  run.config.n = n;
  run.config.spec = spec;
  run.config = resolve(*run.algorithm, run.config);
  return run;
}

std::vector<Run> runs_of(const std::string& algorithm, std::vector<std::int64_t> sizes) {
  std::vector<Run> runs;
  for (const std::int64_t n : sizes) runs.push_back(run_of(algorithm, n));
  return runs;
}

/// Sorted rows.
std::vector<Row> count_rows(const std::vector<Run>& runs, CountOptions counting = {},
                            Schedule schedule = {}) {
  Sources sources;
  counting.stored = &bundled_counts();
  sources.counting = std::move(counting);
  std::vector<Row> rows = evaluate(runs, sources, schedule);
  sort_rows(rows);
  return rows;
}

std::int64_t count_of(const Row& point, const std::string& quantity) {
  const Quantity* const found = point.find(quantity);
  REQUIRE(found != nullptr);
  return found->count;
}

}  // namespace

TEST_CASE("a sweep counts every row as its simulation does", "[sweep]") {
  std::vector<Run> runs;
  for (const Algorithm& row : test::all_rows().on_agpu()) {
    for (const RunConfig& form : forms_of(row)) {
      Run run{.program = row.name + ":" + form.variant};
      run.algorithm = &row;
      run.config = form;
      run.config.n = 256;
      run.config.spec = small_machine();
      run.config = resolve(row, run.config);
      runs.push_back(run);
    }
  }
  const std::vector<Row> points = count_rows(runs, {});
  REQUIRE(points.size() == runs.size());
  std::set<std::string> keys;
  for (const Run& run : runs) {
    const RunReport report = run.algorithm->simulate(run.config, {}).report;
    const auto point = std::find_if(points.begin(), points.end(), [&](const Row& p) {
      return p.run.program == run.program && p.run.config.type == run.config.type;
    });
    CAPTURE(run.program, run.config.type);
    REQUIRE(point != points.end());
    CHECK(point->refusal.empty());
    CHECK(count_of(*point, "T") == report.time());
    CHECK(count_of(*point, "Q") == report.total().io());
    CHECK(point->run.symbols().at("n") == 256);
    CHECK(point->run.symbols().at("k") == 8);
    CHECK(*point->find("T")->lower_bound <= report.time());
    keys.insert(point->key);
  }
  CHECK(keys.size() == runs.size());
}

TEST_CASE("a sweep counts every PRAM row as its run does", "[sweep]") {
  std::vector<Run> runs;
  for (const Algorithm& row : test::all_rows().on_pram()) {
    for (const Variant& variant : row.pram->variants) {
      Run run{.program = "pram/" + row.name + ":" + variant.name};
      run.algorithm = &row;
      run.config = run_on_pram();
      run.config.variant = variant.name;
      run.config.n = 64;
      run.config = resolve(row, run.config, true);
      runs.push_back(run);
    }
  }
  const std::vector<Row> points = count_rows(runs, CountOptions{.verify = true});
  REQUIRE(points.size() == runs.size());
  for (const Run& run : runs) {
    const PramReport report = run.algorithm->pram->run(run.config, {}).report;
    const auto point = std::find_if(points.begin(), points.end(),
                                    [&](const Row& p) { return p.run.program == run.program; });
    CAPTURE(run.program);
    REQUIRE(point != points.end());
    CHECK(count_of(*point, "steps") == report.time());
    CHECK(count_of(*point, "processors") == report.processors());
    CHECK(count_of(*point, "work") == report.work());
    CHECK(point->source == "simulated");
  }
  CHECK(count_rows({runs.front()}, {}).front().source == "closed form");
}

TEST_CASE("points are in order whatever the order of the runs", "[sweep]") {
  std::vector<Run> runs = runs_of("vector_add", {4096, 64, 1024});
  runs.push_back(run_of("reduce", 64));
  const std::vector<Row> points = count_rows(runs, {});
  REQUIRE(points.size() == 4);
  CHECK(points[0].run.program == "reduce");
  CHECK(points[1].n() == 64);
  CHECK(points[2].n() == 1024);
  CHECK(points[3].n() == 4096);
  std::vector<Row> machines(2);
  for (Row& row : machines) row.run.config.algorithm = "reduce";
  machines[0].run.config.spec.width = 128;  // before "V=64" as a text
  machines[1].run.config.spec.width = 64;
  sort_rows(machines);
  CHECK(machines.front().run.config.spec.width == 64);
}

TEST_CASE("what a row refuses is a point with its reason", "[sweep]") {
  Run refused = run_of("vector_add", 64);
  refused.refusal = "no such machine";
  const std::vector<Row> points = count_rows({refused}, {});
  REQUIRE(points.size() == 1);
  CHECK(points.front().refusal == "no such machine");
  CHECK(points.front().quantities.empty());
  CHECK_THAT(report::to_text(to_report({points, {}, {}})), says("refused: no such machine"));
}

TEST_CASE("counts that are extrapolated say so, and no law is made of them", "[sweep]") {
  CountOptions cheap{.simulate_limit = 1e6};
  const std::vector<Row> points = count_rows(runs_of("histogram", {1 << 8, 1 << 24}), cheap);
  REQUIRE(points.size() == 2);
  CHECK(points[0].source == "simulated");
  CHECK(points[0].from_n == 0);
  CHECK(points[1].source == "extrapolated");
  CHECK(points[1].from_n > 0);
  CHECK_THAT(report::to_text(to_report({points, {}, {}})), says("extrapolated from n = "));
  for (const Fit& fit : fit_rows(points)) CHECK(fit.left_out == 1);
}

TEST_CASE("a bound is judged on the sizes that no law was fitted to", "[sweep]") {
  std::vector<Row> rows;
  for (std::int64_t n = 1 << 10; n <= 1 << 20; n *= 2) {
    Row row{.run = {.config = {.n = n, .spec = {.cores = 32}}},
            .quantities = {{"Q", 3 * n + 1024, {}, "n", static_cast<double>(n), {}}}};
    rows.push_back(row);
  }
  const std::vector<Fit> fits = fit_rows(rows);
  REQUIRE(fits.size() == 1);
  REQUIRE(fits[0].bound);
  const auto smallest = static_cast<double>(fits[0].law->judged_from);
  CHECK(smallest > 1 << 10);
  CHECK(fits[0].bound->low == 3 + 1024.0 / (1 << 20));
  CHECK(fits[0].bound->high == 3 + 1024.0 / smallest);
}

TEST_CASE("a law is the stated bound where that is flat over three doublings", "[sweep]") {
  const auto fit_of = [](auto count, std::int64_t most) {
    std::vector<Row> rows;
    for (std::int64_t n = 1 << 4; n <= most; n *= 2) {
      rows.push_back({.run = {.config = {.n = n, .spec = {.cores = 32}}},
                      .quantities = {{"Q", count(n), {}, "n", static_cast<double>(n), {}}}});
    }
    return fit_rows(rows).at(0);
  };
  // 5 % of waves hide no term of a law.
  const auto waves = [](std::int64_t n) { return n * (n % 3 == 1 ? 210 : 200) / 10 + 900; };
  const Fit fit = fit_of(waves, 1 << 20);
  REQUIRE(fit.proved() != nullptr);
  CHECK(fit.proved()->text == "655.9 n/b");  // 32 times the middle of 20 and 21
  CHECK(fit.proved()->from == 1 << 17);
  CHECK(fit.proved()->error > 0.024);
  CHECK(fit_of([](std::int64_t n) { return 3 * n + 10; }, 1 << 20).proved() == nullptr);  // exact
  const auto with_log = [](std::int64_t n) {
    return n * std::countr_zero(static_cast<std::uint64_t>(n)) + n % 7;
  };
  CHECK(fit_of(with_log, 1 << 20).proved() == nullptr);
  CHECK_FALSE(fit_of(with_log, 1 << 20).bound->recovered());
}

TEST_CASE("a bound is not recovered where nothing was held out", "[sweep]") {
  CHECK_FALSE(BoundCheck{}.recovered());
  CHECK(BoundCheck{.grown = true}.recovered());
}

TEST_CASE("a stopped sweep leaves the rest out", "[sweep]") {
  std::int64_t counted = 0;
  Schedule schedule{.threads = 1};
  schedule.done = [&](const Row&) { ++counted; };
  schedule.stop = [&] { return counted == 2; };
  CHECK(count_rows(runs_of("vector_add", {64, 128, 256, 512}), {}, schedule).size() == 2);
}

TEST_CASE("shards kept in files are the whole sweep when they are merged", "[sweep]") {
  std::vector<Run> runs = runs_of("vector_add", {64, 128, 256});
  for (const Run& run : runs_of("histogram", {64, 128})) runs.push_back(run);
  const std::vector<Row> all = count_rows(runs, {});
  const Whole whole = whole_of(runs);
  CHECK(whole.points == 5);
  const test::TempFolder folder;
  std::vector<KeptRow> kept;
  for (std::size_t shard = 0; shard < 2; ++shard) {
    std::vector<Run> part;
    for (std::size_t i = shard; i < runs.size(); i += 2) part.push_back(runs[i]);
    std::vector<std::string> lines;
    for (const Row& point : count_rows(part, {})) lines.push_back(to_line(point, whole));
    const auto path = folder.path() / (std::to_string(shard) + ".jsonl");
    append_records(path, lines);
    for_each_row(path, [&](KeptRow row) { kept.push_back(std::move(row)); });
    const Merged merged = merge(kept);
    CHECK(merged.missing.empty() == (shard == 1));
    if (shard == 0) CHECK_THAT(merged.missing.front(), says("2 of the 5 points"));
  }
  kept.push_back(kept.front());  // a point that two parts have
  const Merged merged = merge(kept);
  REQUIRE(merged.kept.size() == all.size());
  std::vector<Row> points;
  for (const KeptRow& point : merged.kept) points.push_back(point.row);
  CHECK(report::to_json(to_report({points, {}, {}})) == report::to_json(to_report({all, {}, {}})));
}

TEST_CASE("a CSV line has a cell for every column", "[sweep]") {
  std::vector<Run> runs = runs_of("vector_add", {64});
  const std::string csv = report::to_csv(to_report({count_rows(runs, {}), {}, {}}));
  const std::size_t end = csv.find('\n');
  const std::string header = csv.substr(0, end);
  const std::string line = csv.substr(end + 1);
  CHECK(std::count(header.begin(), header.end(), ',') == std::count(line.begin(), line.end(), ','));
  CHECK_THAT(header, says("T,T_formula,T_stated,T_bound,T_lower_bound,Q,"));
  Row row{.quantities = {{"T", 90, 80, "about n", 70.5, 60}}};
  CHECK_THAT(report::to_csv(to_report({{row}, {}, {}})), says(",90,80,about n,70.5,60,"));
}

TEST_CASE("the same tasks on more cores have the same I/O (Lemma 2.2)", "[sweep][theory]") {
  std::vector<Run> runs;
  for (const std::int64_t cores : {32, 128, 1024}) {
    Run run = run_of("reduce", 1 << 14, small_machine(cores));
    run.config.parameters["tasks"] = 64;
    runs.push_back(run);
  }
  const CoresCheck same = check_cores(count_rows(runs, {}));
  CHECK(same.groups == 1);
  CHECK(same.equal == 1);
  std::vector<Row> points = count_rows(runs, {});
  ++points.back().quantities[1].count;
  const CoresCheck other = check_cores(points);
  CHECK(other.equal == 0);
  REQUIRE(other.differences.size() == 1);
  CHECK_THAT(other.differences.front(), says("reduce with n = 16384"));
}
