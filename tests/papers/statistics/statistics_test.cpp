#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/papers/common/paper_json.hpp"
#include "agpusim/papers/statistics/experiment.hpp"
#include "agpusim/tests/papers/contest_options.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/predict/predict.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim::statistics_experiment {

namespace {

const char* const minmax_name = "minmax";
const char* const statistics_name = "statistics";

SeedTimes bundled_times() { return load_seed_times(paper_file("statistics/printed_times.json")); }

/// A phase with the given T and Q in a machine of `config`.
PhaseReport phase_of(const std::string& kernel, std::int64_t time, std::int64_t blocks) {
  return PhaseReport{.kernel = kernel,
                     .tasks = 1,
                     .counts = {.global_read = {blocks, blocks, 4 * blocks}},
                     .time = time,
                     .max_task_time = time};
}

/// A row whose every round launches "copy" and "round"; statistics also "square" before the first.
Algorithm fake_tournament(const std::string& name) {
  Algorithm row = test::fake_registry().on_agpu().front();
  const bool with_prologue = name == "statistics_tournament";
  row.name = name;
  row.types = {"i32", "f32"};
  row.variants = {{"copy"}, {"ping_pong"}};
  row.parameters = {{"rows", "rows", [](const RunConfig&) { return std::int64_t{4}; }}};
  row.derive = [with_prologue](const RunConfig& config) {
    RunReport report;
    std::vector<PhaseReport>& forms = report.phases;
    if (with_prologue) forms.push_back(phase_of("square", 11, 3));
    for (std::int64_t round = 0; round < rounds_of(Rounds::ceil_lg, config.n); ++round) {
      forms.push_back(phase_of("copy", 100 + config.n / 7, 2 * config.n / 32));
      forms.push_back(phase_of("round", 30 + config.n / 3, 4 * config.n / 32));
    }
    return report;
  };
  return row;
}

Algorithm fake_row(const std::string& name, std::vector<std::string> variants,
                   std::vector<std::string> types) {
  Algorithm row = test::fake_registry().on_agpu().front();
  row.name = name;
  row.variants.clear();
  for (std::string& variant : variants) row.variants.push_back({std::move(variant)});
  row.types = std::move(types);
  row.inputs = {"uniform", "sorted", "normal"};
  return row;
}

Registry fake_rows() {
  Registry registry;
  registry.add(fake_tournament("minmax_tournament"));
  registry.add(fake_tournament("statistics_tournament"));
  registry.add(fake_row(minmax_name, {"one_pass", "one_lane"}, {"i32", "f32"}));
  registry.add(
      fake_row(statistics_name, {"one_pass", "textbook", "one_lane"}, {"i32", "f32", "f64"}));
  return registry;
}

Card fake_card(const std::string& name) { return {name, "fake", AgpuSpec{}, 1000, 100}; }

/// Five rows of each problem with charges that are not proportional to each other.
std::vector<AccountRow> rows_of(const TimeModel& model) {
  std::vector<AccountRow> rows;
  for (const std::string problem : {minmax_name, statistics_name}) {
    for (const double n : {1.0, 10.0, 100.0, 1000.0, 10000.0}) {
      AccountRow row{
          .problem = problem,
          .n = static_cast<std::int64_t>(n),
          .charges = {std::sqrt(n), n + (problem == minmax_name ? 3 : 7), n * std::sqrt(n)}};
      row.measured_us = model.microseconds(row.charges);
      rows.push_back(row);
    }
  }
  return rows;
}

const contest::Plan& plan() {
  static const contest::Plan all = contest::bundled_plan("statistics/plan.json");
  return all;
}

const contest::Panel& panel_named(const std::string& name) {
  const auto it = std::find_if(plan().begin(), plan().end(),
                               [&](const contest::Panel& panel) { return panel.name == name; });
  REQUIRE(it != plan().end());
  return *it;
}

std::vector<contest::RunToMeasure> runs_with(const Registry& registry,
                                             const contest::SizeChoice& choice) {
  return test::runs_with(plan(), registry, choice);
}

/// Every run of the quick panels: libraries take 20 us, all else 40 us.
contest::ContestOptions quick_options(const Registry& registry) {
  return test::quick_options(plan(), registry, [](const RunConfig& config) {
    return config.algorithm.starts_with("cub") ? 0.02 : 0.04;
  });
}

/// What the table of a panel says of a program at the largest n.
nlohmann::json row_of(const Experiment& experiment, const std::string& panel,
                      const std::string& program) {
  const auto json = nlohmann::json::parse(report::to_json(to_report(experiment)));
  nlohmann::json found;
  for (const auto& one : json.at("comparison").at("panels")) {
    for (const auto& row : one.at("rows")) {
      if (one.at("name") == panel && row.at("program") == program) found = row;
    }
  }
  return found;
}

Experiment panels_with(const contest::Plan& panels, const Registry& registry,
                       const contest::ContestOptions& options) {
  Experiment experiment;
  experiment.panels = contest::hold(panels, registry, options);
  experiment.bandwidth = bandwidth_of(experiment.panels, options.device);
  return experiment;
}

}  // namespace

TEST_CASE("the transcription is the paper's tables", "[statistics_experiment]") {
  const SeedTimes seed = bundled_times();
  REQUIRE(seed.times.size() == 30);
  std::set<std::string> cards;
  double largest_minmax = 0;
  double largest_statistics = 0;
  for (const SeedTime& time : seed.times) {
    INFO(time.card << ", " << time.problem << ", n = " << time.n);
    cards.insert(time.card);
    // The printed ratio has one digit after the point.
    CHECK(std::abs(time.single_us / time.parallel_us - time.printed_ratio) <= 0.05 + 1e-9);
    double& largest = time.problem == minmax_name ? largest_minmax : largest_statistics;
    largest = std::max(largest, time.printed_ratio);
    // Ts is proportional to N but for a start of a few us.
    CHECK(time.single_us / static_cast<double>(time.n) > 0.14);
    CHECK(time.single_us / static_cast<double>(time.n) < 0.9);
  }
  // Figures 4.1 and 4.3 draw a line through two sizes (theory N11).
  CHECK(std::count_if(seed.times.begin(), seed.times.end(),
                      [](const SeedTime& time) { return time.n <= 1000; }) == 3 * 2 * 2);
  CHECK(cards == std::set<std::string>{"GeForce 9400 GT", "GeForce GT 220", "GeForce GTX 480"});
  // The abstract: up to 59.9 and 31.5 times faster.
  CHECK(largest_minmax == 59.9);
  CHECK(largest_statistics == 31.5);
}

TEST_CASE("the device files of the paper's cards have what table 4.1 prints",
          "[statistics_experiment]") {
  struct Printed {
    const char* card;
    double cores, clock, bandwidth;
  };
  for (const Printed& printed :
       {Printed{"GeForce 9400 GT", 16, 1400, 12.8}, Printed{"GeForce GT 220", 48, 1360, 25.3},
        Printed{"GeForce GTX 480", 480, 1401, 177.4}}) {
    const DeviceFile device = find_device(data_folder() / "devices", printed.card);
    CHECK(device.value("cores") == printed.cores);
    CHECK(device.value("processor_clock") == printed.clock);
    CHECK(device.value("bandwidth_peak") == printed.bandwidth);
  }
}

TEST_CASE("a damaged transcription is refused by name", "[statistics_experiment]") {
  const test::TempFolder folder;
  const auto path = folder / "seed.json";
  const auto put = [&](const std::string& times) {
    test::put(path, R"({"schema":1,"source":"s","times":[)" + times + "]}");
  };
  const auto refused = [&](const std::string& times) {
    put(times);
    CHECK_THROWS_AS(load_seed_times(path), FileError);
    CHECK_THROWS_WITH(load_seed_times(path), says("seed.json"));
  };
  const std::string row =
      R"({"card":"c","problem":"minmax","n":100,"single_us":1.5,"parallel_us":2,"ratio":0.8})";
  put(row);
  CHECK(load_seed_times(path).times.size() == 1);
  refused(row + "," + row);
  refused(R"({"card":"c","problem":"sort","n":100,"single_us":1,"parallel_us":2,"ratio":0.5})");
  refused(R"({"card":"c","problem":"minmax","n":100,"single_us":0,"parallel_us":2,"ratio":0.5})");
  refused(R"({"card":"c","problem":"minmax","n":100,"single_us":1,"ratio":0.5})");
  refused("7");
}

TEST_CASE("a cross fit finds the constants and predicts the other half",
          "[statistics_experiment]") {
  const TimeModel truth{2.5, 0.01, 3e-4};
  const CrossFit fit = cross_fit(rows_of(truth), Law::launches_time_bytes);
  REQUIRE(fit.fits.size() == 3);
  for (const Fit& half : fit.fits) {
    CHECK(half.model.launch_us == Catch::Approx(truth.launch_us));
    CHECK(half.model.time_unit_us == Catch::Approx(truth.time_unit_us));
    CHECK(half.model.byte_us == Catch::Approx(truth.byte_us));
    CHECK(half.training_mape < 1e-9);
  }
  CHECK(fit.mape < 1e-9);
  CHECK(fit.fits.back().model.gigabytes_per_second() == Catch::Approx(1e-3 / truth.byte_us));
}

TEST_CASE("no row takes part in its own prediction", "[statistics_experiment]") {
  std::vector<AccountRow> rows = rows_of({2.5, 0.01, 3e-4});
  const CrossFit before = cross_fit(rows, Law::launches_time_bytes);
  const std::size_t changed = 7;  // index of a row of statistics
  rows[changed].measured_us *= 3;
  const CrossFit after = cross_fit(rows, Law::launches_time_bytes);
  const auto fitted_to = [](const CrossFit& fit, const std::string& problem) {
    return *std::find_if(fit.fits.begin(), fit.fits.end(),
                         [&](const Fit& half) { return half.trained_on == problem; });
  };
  CHECK(fitted_to(after, minmax_name).model.launch_us ==
        fitted_to(before, minmax_name).model.launch_us);
  CHECK(fitted_to(after, minmax_name).model.byte_us ==
        fitted_to(before, minmax_name).model.byte_us);
  CHECK(fitted_to(after, statistics_name).model.microseconds({1, 1, 1}) !=
        fitted_to(before, statistics_name).model.microseconds({1, 1, 1}));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO("row " << i);
    // Only the predictions of min/max, whose constants saw the row, change.
    CHECK((after.rows[i].predicted_us == before.rows[i].predicted_us) ==
          (rows[i].problem == statistics_name));
  }
  CHECK(after.worst == changed);
  CHECK(after.rows[changed].error == Catch::Approx(1.0 / 3 - 1));
}

TEST_CASE("a cross fit needs two problems and positive times", "[statistics_experiment]") {
  std::vector<AccountRow> rows = rows_of({1, 1, 1});
  std::vector<AccountRow> half(rows.begin(), rows.begin() + 5);
  CHECK_THROWS_AS(cross_fit(half, Law::time), std::invalid_argument);
  rows.front().measured_us = 0;
  CHECK_THROWS_AS(cross_fit(rows, Law::time), std::invalid_argument);
}

TEST_CASE("rounds by both readings of log(N)", "[statistics_experiment]") {
  const std::vector<std::int64_t> sizes = {8, 100, 1000, 10'000, 100'000, 1'000'000};
  const std::vector<std::int64_t> lg = {3, 7, 10, 14, 17, 20};
  const std::vector<std::int64_t> ln = {2, 4, 6, 9, 11, 13};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    CHECK(rounds_of(Rounds::ceil_lg, sizes[i]) == lg[i]);
    CHECK(rounds_of(Rounds::floor_ln, sizes[i]) == ln[i]);
  }
}

TEST_CASE("fewer rounds cost in proportion, what comes before them does not",
          "[statistics_experiment]") {
  RunConfig config;
  config.n = 100;  // 7 rounds
  const auto forms = fake_tournament("statistics_tournament").derive(config)->phases;
  const Charges all = charges_of(config, forms, 7);
  CHECK(all.launches == 15);
  CHECK(all.time == Catch::Approx(11 + 7 * (114 + 63)));
  CHECK(all.bytes == Catch::Approx((3 + 7 * (6 + 12)) * 32 * 4));
  const Charges four = charges_of(config, forms, 4);
  CHECK(four.launches == Catch::Approx(9));
  CHECK(four.time == Catch::Approx(11 + 4 * (114 + 63)));
  CHECK(four.bytes == Catch::Approx((3 + 4 * (6 + 12)) * 32 * 4));
}

TEST_CASE("times made from the counts are accounted for exactly", "[statistics_experiment]") {
  const Registry registry = fake_rows();
  const TimeModel truth{2.5, 0.02, 1e-4};
  SeedTimes seed;
  for (const std::string problem : {minmax_name, statistics_name}) {
    for (const std::int64_t n : {100, 1000, 10'000, 100'000, 1'000'000}) {
      RunConfig config{.n = n};
      const auto& row = registry.find(problem + std::string("_tournament"));
      const auto& lane = registry.find(problem);
      seed.times.push_back({"card", problem, n,
                            0.5 * charges_of(config, lane.derive(config)->phases, 1).time,
                            truth.microseconds(charges_of(config, row.derive(config)->phases,
                                                          rounds_of(Rounds::floor_ln, n))),
                            1});
    }
  }
  const Account result = account(registry, seed, {fake_card("card")});
  CHECK(result.missing.empty());
  REQUIRE(result.cards.size() == 1);
  const CardAccount& card = result.cards.front();
  CHECK(card.ln.mape < 1e-9);
  CHECK(card.lg.mape > 1e-3);
  REQUIRE(card.single);
  CHECK(card.single->mape < 1e-9);
  CHECK(card.single->fits.back().model.time_unit_us == Catch::Approx(0.5));
  CHECK(card.lg.rows.size() == 10);
}

TEST_CASE("without the tournaments nothing is accounted for", "[statistics_experiment]") {
  const Account result = account(test::fake_registry(), bundled_times(), {fake_card("card")});
  CHECK(result.cards.empty());
  CHECK(result.missing.size() == 4);
}

TEST_CASE("every run of the panels occurs once, small inputs first", "[statistics_experiment]") {
  const Registry registry = fake_rows();
  std::set<std::string> seen;
  std::int64_t last_n = 0;
  for (const contest::RunToMeasure& run : runs_with(registry, {})) {
    CHECK(seen.insert(config_to_json(run.config)).second);
    CHECK(run.config.n >= last_n);
    last_n = run.config.n;
    CHECK(run.reference.n == run.config.n);
    CHECK(run.reference.input == run.config.input);
    CHECK(run.reference.type == run.config.type);
    if (run.config.variant == "one_lane") CHECK(run.config.n <= 1'000'000);
  }
  CHECK(last_n == std::int64_t{1} << 28);
  CHECK(runs_with(registry, {.quick = true}).back().config.n == 100'000);
  CHECK(runs_with(registry, {.n_max = 999}).back().config.n == 100);
}

TEST_CASE("panels without their reference row are not measured", "[statistics_experiment]") {
  const Registry registry = fake_rows();  // neither reduce nor scan
  for (const contest::RunToMeasure& run : runs_with(registry, {.quick = true})) {
    CHECK(run.config.algorithm != "cub_reduce");
    CHECK(run.config.algorithm != "cub_scan");
  }
  CHECK(runs_with(Registry{}, {}).empty());
}

TEST_CASE("a panel compares with the floor, the library and the prediction",
          "[statistics_experiment]") {
  const Registry registry = fake_rows();
  const contest::ContestOptions options = quick_options(registry);
  const Experiment found = panels_with(plan(), registry, options);
  CHECK(found.panels.panels.size() == 4);  // without reduce and scan
  CHECK(found.panels.unmeasured == 0);
  CHECK(found.panels.foreign == 0);
  for (const contest::Contestant& contestant : panel_named("statistics-f32").contestants) {
    const bool library = contestant.is_program();
    const auto row = row_of(found, "statistics-f32", contestant.label);
    INFO(row);
    const auto is = [&](const char* column, double value) {
      return row.at(column).get<double>() == Catch::Approx(value);
    };
    const double us = library ? 20 : 40;
    CHECK(row.at("n") == 100'000);
    CHECK(is("floor_us", 0.4 / 1.1));  // 400 kB at 1100 GB/s
    CHECK(is("measured_us", us));
    CHECK(is("measured_low_us", 0.9 * us));
    CHECK(is("measured_high_us", 1.1 * us));
    CHECK(is("floor_share", 0.4 / 1.1 / us));
    CHECK(is("over_library", library ? 1 : 2));
    CHECK(row.at("predicted_us").is_null() == library);
  }
  for (const auto& [event, run] : contest::lines_of(found.panels.events)) {
    if (run->contestant.is_program()) continue;
    const auto forms = registry.find(run->config.algorithm).derive(run->config)->phases;
    CHECK(*run->predicted_ms ==
          Catch::Approx(predict(run->config.spec, forms, options.device).milliseconds));
  }
}

TEST_CASE("a scan must read and write its floor", "[statistics_experiment]") {
  Registry registry = fake_rows();
  registry.add(fake_row("scan", {"sum"}, {"u32"}));
  const Experiment found =
      panels_with({panel_named("scan-u32")}, registry, quick_options(registry));
  // 2 x 400 kB at 1000 GB/s
  CHECK(floor_us(found.panels.events.back(), found.bandwidth) == Catch::Approx(0.8));
}

TEST_CASE("a panel without its library or with other records", "[statistics_experiment]") {
  const Registry registry = fake_rows();
  contest::ContestOptions options = quick_options(registry);
  std::erase_if(options.records,
                [](const TimingRecord& record) { return record.config.algorithm == "cub_minmax"; });
  options.records.push_back(options.records.front());
  options.records.back().config.seed = 99;
  const contest::Contest found = contest::hold({panel_named("minmax-i32")}, registry, options);
  CHECK(found.unmeasured == 4);
  for (const contest::Event& event : found.events) CHECK_FALSE(library_ms(event));
  // The panel has four records per n.
  CHECK(found.foreign == static_cast<std::int64_t>(options.records.size()) - 16);
}

TEST_CASE("nishimura is written with its cards, figures and errors", "[statistics_experiment]") {
  const Registry registry = fake_rows();
  Experiment experiment = panels_with(plan(), registry, quick_options(registry));
  experiment.account = account(registry, bundled_times(),
                               {fake_card("GeForce GTX 480"), fake_card("GeForce GT 220")});
  experiment.accuracy_n = 5;
  experiment.accuracy = {{"f32", "textbook", 1000, 2, -1},
                         {"f32", "one_pass", 1000, 2, 2},
                         {"f32", "textbook", 10000, 2, std::numeric_limits<double>::quiet_NaN()}};
  CHECK(relative_error(experiment.accuracy.front()) == 1.5);

  const std::string text = report::to_text(to_report(experiment));
  CHECK_THAT(text, says("Fake GPU", "GeForce GTX 480: machine fake", "What did the authors run?",
                        "negative"));

  const auto json = nlohmann::json::parse(report::to_json(to_report(experiment)));
  REQUIRE(json.at("account").at("cards").size() == 2);
  CHECK(json.at("account").at("cards").at(0).at("tournament").size() == 10);
  CHECK(json.at("comparison").at("panels").size() == 4);
  CHECK(json.at("accuracy").size() == 3);
  REQUIRE(json.at("plots").size() == 4);
  const auto& cards = json.at("plots").at(0).at("panels");
  REQUIRE(cards.size() == 2);
  std::size_t points = 0;
  for (const auto& series : cards.at(0).at("series")) points += series.at("points").size();
  CHECK(points == 20);
  // Figures 4.1 to 4.4 of two cards: Ts and Tm at N = 100 and 1,000, or to 10^6.
  const auto& figures = json.at("plots").at(1).at("panels");
  REQUIRE(figures.size() == 8);
  CHECK(figures.at(0).at("title") == "Figure 4.1, GeForce GTX 480");
  CHECK(figures.at(0).at("series").at(0).at("points").size() == 2);
  CHECK(figures.at(7).at("title") == "Figure 4.4, GeForce GT 220");
  CHECK(figures.at(7).at("series").at(0).at("points").size() == 5);
  // Neither an exact variance nor one that is no number is a point of a logarithmic axis.
  const auto& errors = json.at("plots").at(2).at("panels").at(0);
  REQUIRE(errors.at("series").size() == 1);
  CHECK(errors.at("series").at(0).at("points").size() == 1);
}

}  // namespace agpusim::statistics_experiment
