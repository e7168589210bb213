#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/papers/integer_sorts/cub_model.hpp"
#include "agpusim/papers/integer_sorts/to_report.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/validation/records/config_json.hpp"

using namespace agpusim;

namespace {

const contest::SizeChoice quick{.quick = true};

const contest::Plan& plan() {
  static const contest::Plan all = contest::bundled_plan("integer_sorts/plan.json");
  return all;
}

AgpuSpec any_machine(const std::string&) { return AgpuSpec{}; }

/// The row "hp_sort", whose counts are those of the fake algorithm; "shared" is refused when the
/// range exceeds M.
Registry registry_with_hp_sort() {
  Algorithm row = test::fake_registry().on_agpu().front();
  row.name = "hp_sort";
  row.types = {"i32"};
  row.inputs = {"uniform", "distinct"};
  row.variants = {{"global"}, {"shared"}};
  row.parameters = key_parameters();
  row.check = [](const RunConfig& config) {
    if (config.variant == "shared" && config.parameters.at("range") > config.spec.shared_words) {
      throw UsageError("range > M");
    }
  };
  Registry registry;
  registry.add(row);
  return registry;
}

TimingRecord record_of(const RunConfig& config, double milliseconds) {
  TimingRecord record = test::fake_timing(1024, milliseconds);
  record.config = config;
  record.checksum = 7;
  record.samples.microseconds.assign(3, milliseconds * 1e3);
  return record;
}

std::vector<RunConfig> calibration_runs() {
  std::vector<RunConfig> runs;
  const Registry registry = registry_with_hp_sort();
  for (const contest::Event& event : contest::events_of(
           contest::bundled_plan("integer_sorts/calibration.json"), {}, registry, any_machine)) {
    for (const contest::PlannedRun& run : event.runs) runs.push_back(run.config);
  }
  return runs;
}

/// What the experiment is made of.
struct Made {
  contest::ContestOptions options;
  std::vector<TimingRecord> calibration;

  [[nodiscard]] Experiment experiment(const Registry& registry) const {
    return integer_sorts_experiment(plan(), registry, options, calibration);
  }
};

/// The quick experiment with the given measured and calibrated times of CUB; all else takes 0.5 ms.
Made quick_experiment(const Registry& registry, double cub_ms, double calibrated_ms) {
  Made made{.options = {.device = test::fake_device(), .sizes = quick, .machine = any_machine}};
  for (const contest::RunToMeasure& run :
       contest::runs_of(contest::events_of(plan(), quick, registry, any_machine), registry)) {
    made.options.records.push_back(
        record_of(run.config, run.config.algorithm == "cub_radix_sort" ? cub_ms : 0.5));
  }
  for (const RunConfig& config : calibration_runs()) {
    made.calibration.push_back(record_of(config, calibrated_ms));
  }
  return made;
}

using TimeOf = std::function<double(const ExperimentCell&, const std::string& sort)>;

/// Rows of the whole experiment in which the paper's programs and CUB take the given times.
std::vector<ExperimentRow> rows_with(const TimeOf& time_of) {
  std::vector<ExperimentRow> rows;
  for (const contest::Event& event :
       contest::events_of(plan(), {}, registry_with_hp_sort(), any_machine)) {
    ExperimentRow row{.cell = cell_of(event)};
    for (contest::PlannedRun run : event.runs) {
      if (run.contestant.team == team::ours) continue;
      run.measured = Measurement{time_of(row.cell, run.contestant.label), 0, 0, 1, ""};
      row.entries.push_back(run);
    }
    rows.push_back(row);
  }
  return rows;
}

/// What the paper's programs say about the first finding whose statement holds `part`.
Judgement judgement_of(const std::vector<ExperimentRow>& rows, const std::string& part) {
  for (const Finding& finding : integer_sorts_findings(rows)) {
    if (finding.statement.find(part) != std::string::npos) return finding.judgements.front();
  }
  throw std::logic_error("no finding about " + part);
}

}  // namespace

TEST_CASE("the plan is the paper's data sets", "[experiment]") {
  const Registry registry = registry_with_hp_sort();
  const auto events = [&](const contest::SizeChoice& choice) {
    return contest::events_of(plan(), choice, registry, any_machine);
  };
  std::map<std::string, int> inputs;
  std::set<std::string> panels;
  bool seen = false;
  bool one_key = false;
  for (const contest::Event& event : events({})) {
    const ExperimentCell cell = cell_of(event);
    INFO(cell.family << " " << cell.panel << " n = " << cell.n);
    ++inputs[cell.family];
    CHECK(cell.len >= 1);
    CHECK(cell.len <= cell.range);
    if (cell.delta > 0) {
      CHECK(std::abs(static_cast<double>(cell.n) / static_cast<double>(cell.range) - cell.delta) <
            1e-3 * cell.delta);
    }
    if (cell.input == "distinct") CHECK(cell.n <= cell.range);
    CHECK(panels.insert(cell.family + cell.panel + std::to_string(cell.n)).second);
    // delta = 50, sigma = 100 at 1 M: range 20 000, 200 different keys
    seen = seen || (cell.family == key_family::duplicates && cell.n == 1'000'000 &&
                    cell.range == 20'000 && cell.len == 200);
    // maxVal = 100, sigma = 100: one key
    one_key = one_key ||
              (cell.family == key_family::fixed_max_value && cell.range == 100 && cell.len == 1);
  }
  CHECK(seen);
  CHECK(one_key);
  // 3 deltas x 13 sizes, 3 x 3 x 5, 2 x 3 x 7, 3 x 5, 4 x 4 x 7
  CHECK(inputs == std::map<std::string, int>{{std::string(key_family::distinct), 39},
                                             {std::string(key_family::duplicates), 45},
                                             {std::string(key_family::fixed_len), 42},
                                             {std::string(key_family::full_range), 15},
                                             {std::string(key_family::fixed_max_value), 112}});
  CHECK(events(quick).size() == 5);
  // distinct: 2 of each delta; fixed len: delta = 1, 10, 50 x 2; fixed maxVal: 16
  CHECK(events({.n_max = 200'000}).size() == 6 + 6 + 16);
}

TEST_CASE("every run of the plan occurs once, and small inputs come first", "[experiment]") {
  const Registry registry = registry_with_hp_sort();
  std::set<std::string> seen;
  std::int64_t last_n = 0;
  for (const auto& [config, reference] :
       contest::runs_of(contest::events_of(plan(), {}, registry, any_machine), registry)) {
    CHECK(seen.insert(config_to_json(config)).second);
    CHECK(config.n >= last_n);
    last_n = config.n;
    CHECK(reference.algorithm == "hp_sort");
    CHECK(reference.n == config.n);
    if (config.algorithm == "seed_one_hp_sort") CHECK(config.input == "distinct");
    if (config.variant == "shared") {
      CHECK(config.parameters.at("range") <= AgpuSpec{}.shared_words);
    }
    // Rows that this build does not have take no part.
    CHECK((config.algorithm == "hp_sort" || config.algorithm.starts_with("seed_") ||
           config.algorithm == "cub_radix_sort"));
  }
}

TEST_CASE("CUB's passes are the 8-bit digits of the range", "[experiment]") {
  const auto passes = [](const std::string& variant, std::int64_t min, std::int64_t range) {
    RunConfig config{.variant = variant,
                     .n = 10,
                     .parameters = {{"min", min}, {"range", range}, {"values", range}}};
    return cub_radix_passes(config);
  };
  CHECK(passes("all_bits", 0, 10) == 4);
  CHECK(passes("fitted_bits", 0, 1) == 1);
  CHECK(passes("fitted_bits", 0, 256) == 1);
  CHECK(passes("fitted_bits", 0, 257) == 2);
  CHECK(passes("fitted_bits", 0, 65'536) == 2);
  CHECK(passes("fitted_bits", 0, 65'537) == 3);
  CHECK(passes("fitted_bits", 0, std::int64_t{1} << 24) == 3);
  CHECK(passes("fitted_bits", 0, (std::int64_t{1} << 24) + 1) == 4);
  CHECK(passes("fitted_bits", 256, 256) == 1);
  CHECK(passes("fitted_bits", 255, 2) == 2);  // 255 and 256 differ in nine bits
  CHECK(passes("fitted_bits", -1, 2) == 4);
}

TEST_CASE("CUB's time is interpolated over lg n for each number of passes", "[experiment]") {
  std::vector<TimingRecord> calibration;
  for (RunConfig config : calibration_runs()) {
    const double passes = cub_radix_passes(config);
    const double n = static_cast<double>(config.n);
    calibration.push_back(record_of(config, passes * n * 1e-6));
  }
  const CubRadixModel model(calibration);
  RunConfig config{.variant = "fitted_bits",
                   .parameters = {{"min", 0}, {"range", 1000}, {"values", 1000}}};
  for (const std::int64_t n : {65'536, 100'000, 1'000'000, 20'000'000, 67'108'864}) {
    config.n = n;
    REQUIRE(model.milliseconds(config));
    CHECK(*model.milliseconds(config) ==
          Catch::Approx(2 * static_cast<double>(n) * 1e-6).epsilon(1e-9));
  }
  config.n = 65'535;
  CHECK_FALSE(model.milliseconds(config));
  config.n = 67'108'865;
  CHECK_FALSE(model.milliseconds(config));
  CHECK_FALSE(CubRadixModel({}).milliseconds(config));
}

TEST_CASE("the predicted winner is compared with the measured one", "[experiment]") {
  const Registry registry = registry_with_hp_sort();
  SECTION("right") {
    const Experiment experiment = quick_experiment(registry, 1, 1e6).experiment(registry);
    REQUIRE(experiment.scores.size() == 2);
    for (const ExperimentScore& score : experiment.scores) {
      CHECK(score.cells == 5);
      CHECK(score.right == 5);
      CHECK(score.near == 5);
      CHECK(score.side == 5);
    }
    CHECK(experiment.unmeasured == 0);
    CHECK(experiment.foreign == 0);
    for (const ExperimentRow& row : experiment.rows) {
      REQUIRE(row.against_cub);
      CHECK(row.against_cub->measured_winner == "H-P");
      CHECK(row.against_cub->loss == 0);
    }
  }
  SECTION("wrong, and twice as slow") {
    const Experiment experiment = quick_experiment(registry, 1, 1e-9).experiment(registry);
    CHECK(experiment.scores.front().right == 0);
    CHECK(experiment.scores.front().near == 0);
    CHECK(experiment.scores.front().side == 0);
    CHECK(experiment.rows.front().against_cub->predicted_winner == "CUB");
    CHECK(experiment.rows.front().against_cub->loss == Catch::Approx(1));
  }
  SECTION("wrong by 4 %") {
    const Experiment experiment = quick_experiment(registry, 0.52, 1e-9).experiment(registry);
    CHECK(experiment.scores.front().right == 0);
    CHECK(experiment.scores.front().near == 5);
  }
}

TEST_CASE("an incomplete cell has no winner", "[experiment]") {
  const Registry registry = registry_with_hp_sort();
  Made made = quick_experiment(registry, 1, 1);
  std::vector<TimingRecord>& records = made.options.records;
  const auto hp = std::find_if(records.begin(), records.end(),
                               [](const auto& r) { return r.config.algorithm == "hp_sort"; });
  REQUIRE(hp != records.end());
  records.erase(hp);
  const Experiment experiment = made.experiment(registry);
  CHECK(experiment.unmeasured == 1);
  CHECK(experiment.scores.front().cells == 4);
}

TEST_CASE("results that differ within a cell are an error that names them", "[experiment]") {
  const Registry registry = registry_with_hp_sort();
  Made made = quick_experiment(registry, 1, 1);
  std::vector<TimingRecord>& records = made.options.records;
  for (TimingRecord& record : records) {
    if (record.config.algorithm == "seed_one_hp_sort") record.checksum = 8;
  }
  CHECK_THROWS_AS(made.experiment(registry), Mismatch);
  CHECK_THROWS_WITH(made.experiment(registry),
                    Catch::Matchers::ContainsSubstring("seed 1-H-P") &&
                        Catch::Matchers::ContainsSubstring("distinct, delta = 1, n = 100000") &&
                        Catch::Matchers::ContainsSubstring("CUB"));
}

TEST_CASE("records of several devices and no records are refused", "[experiment]") {
  const Registry registry = registry_with_hp_sort();
  Made made = quick_experiment(registry, 1, 1);
  std::vector<TimingRecord>& records = made.options.records;
  records.back().environment.device = "other";
  CHECK_THROWS_AS(made.experiment(registry), UsageError);
  records.clear();
  CHECK_THROWS_AS(made.experiment(registry), UsageError);
}

TEST_CASE("records of other runs are counted and left out", "[experiment]") {
  const Registry registry = registry_with_hp_sort();
  Made made = quick_experiment(registry, 1, 1);
  std::vector<TimingRecord>& records = made.options.records;
  records.push_back(records.front());
  records.back().config.seed = 99;
  CHECK(made.experiment(registry).foreign == 1);
}

TEST_CASE("findings about distinct keys", "[experiment]") {
  const auto border = [](double delta) {
    if (delta > 0.9) return 2'000'000;
    return delta > 0.4 ? 1'300'000 : 700'000;
  };
  const auto as_printed = rows_with([&](const ExperimentCell& cell, const std::string& sort) {
    const bool wins = cell.n <= border(cell.delta);
    if (sort == "1-H-P") return wins ? 1.0 : 3.0;
    return 2.0;
  });
  CHECK(judgement_of(as_printed, "distinct keys").verdict == Verdict::holds);
  // delta = 1: 0.2, 0.3, 0.5, 0.7, 1, 1.3, 2 M; 0.5: six of them; 0.25: four
  CHECK(judgement_of(as_printed, "distinct keys").checked == 17);
  CHECK(judgement_of(as_printed, "distinct keys").numbers ==
        "1-H-P is fastest at: delta = 1: 0.2-2 M; delta = 0.5: 0.2-1.3 M; delta = 0.25: 0.2-0.7 M");
  CHECK(judgement_of(as_printed, "not beyond").verdict == Verdict::holds);
  CHECK(judgement_of(as_printed, "nearer delta").verdict == Verdict::holds);
  CHECK(judgement_of(as_printed, "from n = 0.1 M").verdict == Verdict::holds);

  const auto always = rows_with(
      [](const ExperimentCell&, const std::string& sort) { return sort == "1-H-P" ? 1.0 : 2.0; });
  CHECK(judgement_of(always, "distinct keys").verdict == Verdict::holds);
  CHECK(judgement_of(always, "not beyond").verdict == Verdict::fails);
  CHECK(judgement_of(always, "nearer delta").verdict == Verdict::fails);

  const auto never = rows_with(
      [](const ExperimentCell&, const std::string& sort) { return sort == "1-H-P" ? 2.0 : 1.0; });
  CHECK(judgement_of(never, "distinct keys").verdict == Verdict::fails);
  CHECK(judgement_of(never, "distinct keys").held == 0);
  CHECK(judgement_of(never, "not beyond").verdict == Verdict::holds);

  const auto up_to_1m = rows_with([](const ExperimentCell& cell, const std::string& sort) {
    return sort == "1-H-P" && cell.n > 1'000'000 ? 2.0 : sort == "1-H-P" ? 0.5 : 1.0;
  });
  CHECK(judgement_of(up_to_1m, "distinct keys").verdict == Verdict::partly);
  CHECK(judgement_of(up_to_1m, "distinct keys").held == 5 + 5 + 4);
}

TEST_CASE("findings about the border that moves with sigma", "[experiment]") {
  const auto rows_with_border = [](const std::function<double(double sigma)>& border) {
    return rows_with([=](const ExperimentCell& cell, const std::string& sort) {
      if (sort == "CUB" || sort == "CUB fitted") return 2.0;
      return static_cast<double>(cell.n) >= border(cell.sigma) ? 1.0 : 3.0;
    });
  };
  const std::string part = "grows with sigma";
  CHECK(judgement_of(rows_with_border([](double sigma) { return sigma * 1e5; }), part).verdict ==
        Verdict::holds);
  CHECK(judgement_of(rows_with_border([](double sigma) { return 1e8 / sigma; }), part).verdict ==
        Verdict::fails);
  CHECK(judgement_of(rows_with_border([](double) { return 1e9; }), part).verdict ==
        Verdict::unknown);
  CHECK(judgement_of(rows_with_border([](double) { return 0; }), part).verdict == Verdict::unknown);
}

TEST_CASE("findings about trends", "[experiment]") {
  const auto falling = rows_with([](const ExperimentCell& cell, const std::string& sort) {
    return sort == "CUB" ? 5.0 : 1e7 / static_cast<double>(cell.range);
  });
  CHECK(judgement_of(falling, "as maxVal grows").verdict == Verdict::holds);
  CHECK(judgement_of(falling, "gets faster as delta grows").verdict == Verdict::fails);
  CHECK(judgement_of(falling, "maxVal = 100: CUB").verdict == Verdict::holds);
  CHECK(judgement_of(falling, "CUB's time").verdict == Verdict::holds);

  const auto overtaking = rows_with([](const ExperimentCell& cell, const std::string& sort) {
    const double n = static_cast<double>(cell.n);
    return sort == "CUB" ? 1 + 1e-7 * n : 0.5 + 1e-6 * n;
  });
  CHECK(judgement_of(overtaking, "overtakes").verdict == Verdict::holds);
  CHECK(judgement_of(overtaking, "overtakes").numbers ==
        "CUB is fastest at maxVal = 1000, sigma = 100: 1-20 M");
}

TEST_CASE("without times no finding is judged", "[experiment]") {
  for (const Finding& finding : integer_sorts_findings({})) {
    INFO(finding.statement);
    REQUIRE(finding.judgements.size() == 4);
    for (const Judgement& judgement : finding.judgements) {
      CHECK(judgement.verdict == Verdict::unknown);
      CHECK(judgement.checked == 0);
    }
  }
}

TEST_CASE("the experiment is written as text, JSON, CSV and a page", "[experiment]") {
  const Registry registry = registry_with_hp_sort();
  const Experiment experiment = quick_experiment(registry, 1, 1e6).experiment(registry);
  const std::string text = report::to_text(to_report(experiment));
  CHECK_THAT(text, Catch::Matchers::ContainsSubstring("Fake GPU"));
  CHECK_THAT(text, Catch::Matchers::ContainsSubstring(
                       "the predicted winner is the measured one for 5 of 5 inputs"));
  CHECK_THAT(text, Catch::Matchers::ContainsSubstring("calibrated by runs of its own"));

  const auto json = nlohmann::json::parse(report::to_json(to_report(experiment)));
  CHECK(json.at("cells").size() == 5);
  CHECK(json.at("scores").at(0).at("right") == 5);
  REQUIRE(json.at("plots").size() == 5);
  for (const auto& plot : json.at("plots")) {
    const auto& series = plot.at("panels").at(0).at("series");
    CHECK(series.size() >= 4);
    for (const auto& one : series) CHECK(one.at("points").size() + one.at("line").size() > 0);
  }

  const std::string csv = report::to_csv(to_report(experiment));
  std::size_t entries = 0;
  for (const ExperimentRow& row : experiment.rows) entries += row.entries.size();
  CHECK(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) == entries + 1);

  const std::string page = report::to_html(to_report(experiment));
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(page.find("id=\"data\">{") != std::string::npos);
  CHECK(page.find("src=\"http") == std::string::npos);
}
