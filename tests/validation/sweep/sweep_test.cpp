#include "agpusim/validation/sweep/sweep.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "agpusim/algorithms/pram_registry.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/pram_rows.hpp"
#include "agpusim/tests/support/rows.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/records/record.hpp"
#include "agpusim/validation/sweep/fits.hpp"
#include "agpusim/validation/sweep/point_file.hpp"
#include "agpusim/validation/sweep/to_report.hpp"

using namespace agpusim;
using namespace agpusim::sweep;
using Catch::Matchers::ContainsSubstring;

namespace {

AgpuSpec small_machine(std::int64_t cores = 256) {
  AgpuSpec spec;
  spec.cores = cores;
  spec.shared_words = 4096;
  return spec;
}

Run run_of(const std::string& algorithm, std::int64_t n, const AgpuSpec& spec = small_machine(),
           const std::string& variant = "") {
  Run run;
  run.program = variant.empty() ? algorithm : algorithm + ":" + variant;
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

std::int64_t count_of(const Point& point, const std::string& quantity) {
  const Quantity* const found = point.find(quantity);
  REQUIRE(found != nullptr);
  return found->count;
}

}  // namespace

TEST_CASE("a sweep counts every row as its simulation does", "[sweep]") {
  std::vector<Run> runs;
  for (const Algorithm& row : test::all_rows().all()) {
    for (const RunConfig& form : forms_of(row)) {
      Run run;
      run.program = row.name + ":" + form.variant;
      run.algorithm = &row;
      run.config = form;
      run.config.n = 256;
      run.config.spec = small_machine();
      run.config = resolve(row, run.config);
      runs.push_back(run);
    }
  }
  const std::vector<Point> points = count_points(runs, {});
  REQUIRE(points.size() == runs.size());
  std::set<std::string> keys;
  for (const Run& run : runs) {
    const RunReport report = run.algorithm->simulate(run.config, {}).report;
    const auto point = std::find_if(points.begin(), points.end(), [&](const Point& p) {
      return p.program == run.program && p.type == run.config.type;
    });
    CAPTURE(run.program, run.config.type);
    REQUIRE(point != points.end());
    CHECK(point->refusal.empty());
    CHECK(count_of(*point, "T") == report.time());
    CHECK(count_of(*point, "Q") == report.total().io());
    CHECK(point->symbols.at("n") == 256);
    CHECK(point->symbols.at("k") == 8);
    CHECK(*point->find("T")->lower_bound <= report.time());
    keys.insert(point->key);
  }
  CHECK(keys.size() == runs.size());
}

TEST_CASE("a sweep counts every PRAM row as its run does", "[sweep]") {
  std::vector<Run> runs;
  for (const PramAlgorithm& row : test::all_pram_rows().all()) {
    for (const PramVariant& variant : row.variants) {
      Run run;
      run.program = "pram/" + row.name + ":" + variant.name;
      run.pram_algorithm = &row;
      run.pram_config.algorithm = row.name;
      run.pram_config.variant = variant.name;
      run.pram_config.n = 64;
      run.pram_config = resolve(row, run.pram_config, true);
      runs.push_back(run);
    }
  }
  Options verified;
  verified.verify = true;
  const std::vector<Point> points = count_points(runs, verified);
  REQUIRE(points.size() == runs.size());
  for (const Run& run : runs) {
    const PramReport report = run.pram_algorithm->run(run.pram_config, {}).report;
    const auto point = std::find_if(points.begin(), points.end(),
                                    [&](const Point& p) { return p.program == run.program; });
    CAPTURE(run.program);
    REQUIRE(point != points.end());
    CHECK(count_of(*point, "steps") == report.time());
    CHECK(count_of(*point, "processors") == report.processors());
    CHECK(count_of(*point, "work") == report.work());
    CHECK(point->source == "simulated");
  }
  CHECK(count_points({runs.front()}, {}).front().source == "closed form");
}

TEST_CASE("points are in order whatever the order of the runs", "[sweep]") {
  std::vector<Run> runs = runs_of("vector_add", {4096, 64, 1024});
  runs.push_back(run_of("reduce", 64));
  const std::vector<Point> points = count_points(runs, {});
  REQUIRE(points.size() == 4);
  CHECK(points[0].program == "reduce");
  for (std::size_t i = 1; i < points.size(); ++i) CHECK(comes_before(points[i - 1], points[i]));
}

TEST_CASE("what a row refuses is a point with its reason", "[sweep]") {
  Run refused = run_of("vector_add", 64);
  refused.refusal = "no such machine";
  const std::vector<Point> points = count_points({refused}, {});
  REQUIRE(points.size() == 1);
  CHECK(points.front().refusal == "no such machine");
  CHECK(points.front().quantities.empty());
  CHECK_THAT(report::to_text(to_report({points, {}, {}})),
             ContainsSubstring("refused: no such machine"));
}

TEST_CASE("counts that are extrapolated say so, and no law is made of them", "[sweep]") {
  Options cheap;
  cheap.simulate_limit = 1e6;
  const std::vector<Point> points = count_points(runs_of("histogram", {1 << 8, 1 << 24}), cheap);
  REQUIRE(points.size() == 2);
  CHECK(points[0].source == "simulated");
  CHECK(points[0].from_n == 0);
  CHECK(points[1].source == "extrapolated");
  CHECK(points[1].from_n > 0);
  CHECK_THAT(report::to_text(to_report({points, {}, {}})),
             ContainsSubstring("extrapolated from n = "));
  for (const Fit& fit : fit_points(points)) CHECK(fit.left_out == 1);
}

TEST_CASE("a bound is judged on the sizes that no law was fitted to", "[sweep]") {
  std::vector<Point> points;
  for (std::int64_t n = 1 << 10; n <= 1 << 20; n *= 2) {
    Point point;
    point.model = "AGPU";
    point.symbols = {{"n", n}, {"p", 32}, {"b", 32}};
    point.quantities = {{"Q", 3 * n + 1024, {}, "n", static_cast<double>(n), {}}};
    points.push_back(point);
  }
  const std::vector<Fit> fits = fit_points(points);
  REQUIRE(fits.size() == 1);
  REQUIRE(fits[0].bound);
  const auto smallest = static_cast<double>(fits[0].law->judged_from);
  CHECK(smallest > 1 << 10);
  CHECK(fits[0].bound->low == 3 + 1024.0 / (1 << 20));
  CHECK(fits[0].bound->high == 3 + 1024.0 / smallest);
}

TEST_CASE("points that were simulated are not simulated again, while kernels are the same",
          "[sweep]") {
  const std::vector<Run> runs = runs_of("histogram", {1 << 8});
  Point first = count_points(runs, {}).front();
  std::unordered_map<std::string, Point> known;
  first.quantities.front().count = 12345;  // what no simulation gives
  known[first.key] = first;
  Options options;
  options.known = &known;
  CHECK(count_of(count_points(runs, options).front(), "T") == 12345);
  known.clear();
  known[first.key + "0"] = first;  // of other kernels
  CHECK(count_of(count_points(runs, options).front(), "T") != 12345);
}

TEST_CASE("a stopped sweep leaves the rest out", "[sweep]") {
  std::int64_t counted = 0;
  Options options;
  options.threads = 1;
  options.counted = [&](const Point&) { ++counted; };
  options.stop = [&] { return counted == 2; };
  CHECK(count_points(runs_of("vector_add", {64, 128, 256, 512}), options).size() == 2);
}

TEST_CASE("shards kept in files are the whole sweep when they are merged", "[sweep]") {
  std::vector<Run> runs = runs_of("vector_add", {64, 128, 256});
  for (const Run& run : runs_of("histogram", {64, 128})) runs.push_back(run);
  const std::vector<Point> all = count_points(runs, {});
  const Whole whole = whole_of(runs);
  CHECK(whole.points == 5);
  const test::TempFolder folder;
  std::vector<KeptPoint> kept;
  for (std::size_t shard = 0; shard < 2; ++shard) {
    std::vector<Run> part;
    for (std::size_t i = shard; i < runs.size(); i += 2) part.push_back(runs[i]);
    std::vector<std::string> lines;
    for (const Point& point : count_points(part, {})) lines.push_back(to_line(point, whole));
    const auto path = folder.path() / (std::to_string(shard) + ".jsonl");
    append_records(path, lines);
    for (KeptPoint& point : read_points(path)) kept.push_back(std::move(point));
    const Merged merged = merge(kept);
    CHECK(merged.missing.empty() == (shard == 1));
    if (shard == 0) CHECK_THAT(merged.missing.front(), ContainsSubstring("2 of the 5 points"));
  }
  kept.push_back(kept.front());  // a point that two parts have
  const Merged merged = merge(kept);
  REQUIRE(merged.kept.size() == all.size());
  std::vector<Point> points;
  for (const KeptPoint& point : merged.kept) points.push_back(point.point);
  CHECK(report::to_json(to_report({points, {}, {}})) == report::to_json(to_report({all, {}, {}})));
}

TEST_CASE("a CSV line has a cell for every column", "[sweep]") {
  std::vector<Run> runs = runs_of("vector_add", {64});
  const std::string csv = report::to_csv(to_report({count_points(runs, {}), {}, {}}));
  const std::size_t end = csv.find('\n');
  const std::string header = csv.substr(0, end);
  const std::string line = csv.substr(end + 1);
  CHECK(std::count(header.begin(), header.end(), ',') == std::count(line.begin(), line.end(), ','));
  CHECK_THAT(header, ContainsSubstring("T,T_formula,T_stated,T_bound,T_lower_bound,Q,"));
  Point point;
  point.model = "AGPU";
  point.symbols = {{"n", 8}, {"p", 1}, {"b", 1}, {"M", 1}, {"w", 32}, {"V", 1}, {"k", 1}};
  point.quantities = {{"T", 90, 80, "about n", 70.5, 60}};
  CHECK_THAT(report::to_csv(to_report({{point}, {}, {}})),
             ContainsSubstring(",90,80,about n,70.5,60,"));
}

TEST_CASE("the same tasks on more cores have the same I/O (Lemma 2.2)", "[sweep][theory]") {
  std::vector<Run> runs;
  for (const std::int64_t cores : {32, 128, 1024}) {
    Run run = run_of("reduce", 1 << 14, small_machine(cores));
    run.config.parameters["tasks"] = 64;
    runs.push_back(run);
  }
  const CoresCheck same = check_cores(count_points(runs, {}));
  CHECK(same.groups == 1);
  CHECK(same.equal == 1);
  std::vector<Point> points = count_points(runs, {});
  ++points.back().quantities[1].count;
  const CoresCheck other = check_cores(points);
  CHECK(other.equal == 0);
  REQUIRE(other.differences.size() == 1);
  CHECK_THAT(other.differences.front(), ContainsSubstring("reduce with n = 16384"));
}
