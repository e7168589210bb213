#include "agpusim/commands/sweep/row_file.hpp"
#include "agpusim/commands/sweep/to_report.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/members.hpp"
#include "agpusim/validation/records/config_json.hpp"

using namespace agpusim;
using namespace agpusim::sweep;

namespace {

Run agpu_run() {
  static const Registry registry = test::fake_registry();
  Run run{.program = "twice"};
  run.algorithm = &registry.find("twice");
  run.config = test::fake_config(1000);
  run.refusal = "only its name matters";
  return run;
}

Run pram_run() {
  static const Algorithm row;
  Run run{.program = "pram/sort"};
  run.algorithm = &row;
  run.config = run_on_pram();
  run.config.algorithm = "sort";
  run.config.n = 64;
  run.config.parameters["range"] = 8;
  run.refusal = "only its name matters";
  return run;
}

/// The points of these runs after a file kept each.
std::vector<KeptRow> kept(const std::vector<Run>& runs) {
  std::vector<KeptRow> points;
  for (const Run& run : runs) {
    points.push_back(from_line(to_line(evaluate(run, {}), whole_of({run}))));
  }
  return points;
}

void check_two(const Run& run, const Run& other) {
  const Merged merged = merge(kept({run, other}));
  CHECK(merged.kept.size() == 2);
  CHECK(merged.missing.empty());
  CHECK(merged.replaced == 0);
  CHECK(kept_key(run) != kept_key(other));
  CHECK(whole_of({run}).sweep != whole_of({other}).sweep);
  for (const Run& one : {run, other}) CHECK(identity(kept({one}).front().row) == identity(one));
}

}  // namespace

TEST_CASE("runs that differ in one member alone stay two points of a merge", "[sweep][merge]") {
  const Run agpu = agpu_run();
  for (const RunConfig& config : test::changed_copies(agpu.config)) {
    CAPTURE(config_to_json(config));
    Run other = agpu;
    other.config = config;
    check_two(agpu, other);
  }
  const Run pram = pram_run();
  for (const RunConfig& config : test::changed_copies(pram.config)) {
    const bool of_agpu = config.spec != pram.config.spec || config.type != pram.config.type;
    if (of_agpu) continue;
    CAPTURE(config_to_json(config));
    Run other = pram;
    other.config = config;
    check_two(pram, other);
  }
  for (const Run& base : {agpu, pram}) {
    Run renamed = base;
    renamed.program += ":other";
    CHECK(merge(kept({base, renamed})).kept.size() == 2);
    CHECK(merge(kept({base, base})).kept.size() == 1);
  }
}

TEST_CASE("runs predicted for two devices stay two points of a merge", "[sweep][merge]") {
  const DeviceFile device = test::fake_device();
  DeviceFile other = device;
  other.name = "Other GPU";
  DeviceFile measured_again = device;
  measured_again.constants.front().value += 1;
  std::vector<Run> runs(4, agpu_run());
  runs[1].device = &device;
  runs[2].device = &other;
  runs[3].device = &measured_again;
  check_two(runs[0], runs[1]);
  check_two(runs[1], runs[2]);
  // Other constants of one device are the same run, known better.
  CHECK(merge(kept({runs[1], runs[3]})).kept.size() == 1);
  CHECK(identity(runs[1]) == identity(runs[3]));
}

TEST_CASE("of two points of one run the last one counts, and merge says so", "[sweep][merge]") {
  std::vector<KeptRow> points = kept({agpu_run(), agpu_run()});
  points[0].row.source = "stale";
  points[1].row.key += " of kernels 1";
  const Merged merged = merge(points);
  REQUIRE(merged.kept.size() == 1);
  CHECK(merged.kept.front().row.source.empty());
  CHECK(merged.replaced == 1);
  std::swap(points[0], points[1]);
  CHECK(merge(points).kept.front().row.source == "stale");
}

TEST_CASE("a kept row is of the constants and the kernels it was counted with", "[sweep][merge]") {
  // The counts of "twice", which cannot be derived here, after a change of a kernel.
  const auto row_with = [](std::int64_t more_alu) {
    Algorithm row = test::fake_registry().find("twice");
    row.derive = [](const RunConfig&) { return std::nullopt; };
    row.simulate = [more_alu](const RunConfig& config, const SimulationOptions&) {
      RunResult result{test::fake_report(config), test::fake_checksum(config), true};
      result.report.phases[0].counts.alu += more_alu;
      return result;
    };
    return row;
  };
  const Algorithm row = row_with(0);
  const Algorithm changed = row_with(1);
  const DeviceFile device = test::fake_device();
  Run run = agpu_run();
  run.refusal.clear();
  run.algorithm = &row;
  run.device = &device;
  KeptRows kept;
  Sources sources;
  sources.kept = &kept;
  const auto counted = [&](const Run& one) { return evaluate(one, sources); };
  Row known = counted(run);
  known.quantities.at(0).count = 12345;  // what no simulation gives
  kept.emplace(kept_key(known.key), known);
  CHECK(counted(run).find("T")->count == 12345);
  // With --verify it is simulated all the same.
  sources.counting.verify = true;
  CHECK(counted(run).find("T")->count == test::fake_report(run.config).time());
  sources.counting.verify = false;
  Run other = run;
  other.algorithm = &changed;
  CHECK(counted(other).find("T")->count == test::fake_report(run.config).time());
  for (std::size_t i = 0; i < device.constants.size(); ++i) {
    CAPTURE(device.constants[i].name);
    DeviceFile calibrated = device;
    calibrated.constants[i].value *= 2;
    other = run;
    other.device = &calibrated;
    CHECK(kept_key(other) != kept_key(run));
    CHECK(counted(other).find("T")->count == test::fake_report(run.config).time());
  }
}

TEST_CASE("halves of two sweeps on a PRAM are not one sweep", "[sweep][merge]") {
  Run small = pram_run();
  Run large = pram_run();
  large.config.n *= 2;
  std::vector<std::vector<Run>> sweeps = {{small, large}, {small, large}};
  for (Run& run : sweeps[1]) run.config.parameters["range"] = 300;
  const KeptRow first = {kept({sweeps[0][0]}).front().row, whole_of(sweeps[0])};
  const KeptRow second = {kept({sweeps[1][1]}).front().row, whole_of(sweeps[1])};
  CHECK(merge({first, second}).missing.size() == 2);
}

TEST_CASE("a sweep that names a run twice is whole with its point", "[sweep][merge]") {
  CHECK(whole_of({agpu_run(), agpu_run()}).points == 1);
}

TEST_CASE("what two points differ in is printed, and no law is made over rules", "[sweep][merge]") {
  Run strict = agpu_run();
  strict.config.spec.bank_mode = BankMode::strict;
  strict.config.spec.skip_empty = false;
  strict.config.seed = 77;
  std::vector<Row> points;
  for (const KeptRow& point : kept({agpu_run(), strict})) points.push_back(point.row);
  const std::string text = report::to_text(to_report({points, {}, {}}));
  CHECK_THAT(text, says("bank-mode=strict no-skip-empty", "77"));
  CHECK_THAT(report::to_csv(to_report({points, {}, {}})),
             says(",77,bank-mode=strict no-skip-empty,"));
  for (Row& point : points) {
    point.refusal.clear();
    point.quantities = {{"T", 5}};
  }
  REQUIRE(fit_rows(points).size() == 1);
  CHECK_THAT(fit_rows(points).front().why_not, says("differ in their rules"));
}

TEST_CASE("a point of a PRAM that does not say its run is refused", "[sweep][merge][bad_input]") {
  Row point = kept({pram_run()}).front().row;
  point.key = "pram/sort n=64";
  CHECK_THROWS_WITH(from_line(to_line(point, {})), says("lacks its seed"));
}
