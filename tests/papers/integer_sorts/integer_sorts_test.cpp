#include <algorithm>
#include <cmath>
#include <tuple>

#include <nlohmann/json.hpp>

#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/papers/common/paper_json.hpp"
#include "agpusim/papers/integer_sorts/experiment.hpp"
#include "agpusim/tests/papers/contest_options.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/records/config_json.hpp"

using namespace agpusim;

namespace {

const contest::SizeChoice quick{.quick = true};

const contest::Plan& plan() {
  static const contest::Plan all = contest::bundled_plan("integer_sorts/plan.json");
  return all;
}

/// The row "hp_sort" with the fake algorithm's counts; "shared" is refused for ranges above M.
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

std::vector<RunConfig> calibration_runs() {
  std::vector<RunConfig> runs;
  for (const contest::RunToMeasure& run : test::runs_with(
           contest::bundled_plan("integer_sorts/calibration.json"), registry_with_hp_sort(), {})) {
    runs.push_back(run.config);
  }
  return runs;
}

/// The quick runs with these measured and calibrated times of CUB; all else takes 0.5 ms.
struct Made {
  Registry registry = registry_with_hp_sort();
  contest::ContestOptions options;
  std::vector<TimingRecord> calibration;

  Made(double cub_ms, double calibrated_ms)
      : options(test::quick_options(plan(), registry, [=](const RunConfig& config) {
          return config.algorithm == "cub_radix_sort" ? cub_ms : 0.5;
        })) {
    for (const RunConfig& config : calibration_runs()) {
      calibration.push_back(test::record_of(config, calibrated_ms));
    }
  }
  [[nodiscard]] contest::Contest contest() const {
    return integer_sorts_contest(plan(), registry, options, calibration);
  }
};

using TimeOf = std::function<double(const contest::Event&, const std::string& sort)>;

/// The inputs of the whole experiment in which the paper's programs and CUB take the given times.
std::vector<contest::Event> inputs_with(const TimeOf& time_of) {
  std::vector<contest::Event> inputs =
      contest::events_of(plan(), {}, registry_with_hp_sort(), test::any_machine);
  for (contest::Event& input : inputs) {
    std::erase_if(input.runs, [](const auto& run) { return run.contestant.team == team::ours; });
    for (contest::PlannedRun& run : input.runs) {
      run.measured = Measurement{time_of(input, run.contestant.label), 0, 0, 1, ""};
    }
  }
  return inputs;
}

std::vector<Finding> findings_of(const std::vector<contest::Event>& inputs) {
  return integer_sorts_findings(inputs, paper_file("integer_sorts/findings.json"));
}

/// What the paper's programs say about the first finding whose statement holds `part`.
Judgement judgement_of(const std::vector<contest::Event>& inputs, const std::string& part) {
  for (const Finding& finding : findings_of(inputs)) {
    if (finding.statement.find(part) != std::string::npos) return finding.judgements.front();
  }
  throw std::logic_error("no finding about " + part);
}

}  // namespace

TEST_CASE("the plan is the paper's data sets", "[experiment]") {
  const Registry registry = registry_with_hp_sort();
  const auto events = [&](const contest::SizeChoice& choice) {
    return contest::events_of(plan(), choice, registry, test::any_machine);
  };
  std::map<std::string, int> inputs;
  std::set<std::string> panels;
  bool seen = false;
  bool one_key = false;
  for (const contest::Event& event : events({})) {
    const auto& [family, name] = std::tie(event.panel.family, event.panel.name);
    const auto [delta, sigma, range, len] = event.keys();
    INFO(family << " " << name << " n = " << event.n);
    ++inputs[family];
    CHECK(len >= 1);
    CHECK(len <= range);
    if (delta > 0) {
      CHECK(std::abs(static_cast<double>(event.n) / static_cast<double>(range) - delta) <
            1e-3 * delta);
    }
    if (event.panel.input == "distinct") CHECK(event.n <= range);
    CHECK(panels.insert(family + name + std::to_string(event.n)).second);
    // delta = 50, sigma = 100 at 1 M: range 20 000, 200 different keys
    seen =
        seen || (family == "duplicates" && event.n == 1'000'000 && range == 20'000 && len == 200);
    // maxVal = 100, sigma = 100: one key
    one_key = one_key || (family == "fixed maxVal" && range == 100 && len == 1);
  }
  CHECK(seen);
  CHECK(one_key);
  // 3 deltas x 13 sizes, 3 x 3 x 5, 2 x 3 x 7, 3 x 5, 4 x 4 x 7
  CHECK(inputs == std::map<std::string, int>{{"distinct", 39},
                                             {"duplicates", 45},
                                             {"fixed len", 42},
                                             {"len = range", 15},
                                             {"fixed maxVal", 112}});
  CHECK(events(quick).size() == 5);
  // distinct: 2 of each delta; fixed len: delta = 1, 10, 50 x 2; fixed maxVal: 16
  CHECK(events({.n_max = 200'000}).size() == 6 + 6 + 16);
}

TEST_CASE("every run of the plan occurs once, and small inputs come first", "[experiment]") {
  std::set<std::string> seen;
  std::int64_t last_n = 0;
  for (const auto& [config, reference] : test::runs_with(plan(), registry_with_hp_sort(), {})) {
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
    calibration.push_back(test::record_of(config, passes * n * 1e-6));
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
  struct Case {
    double cub_ms, calibrated_ms;
    std::int64_t right, near;
    double loss;
  };
  for (const Case& is :
       {Case{1, 1e6, 5, 5, 0}, Case{1, 1e-9, 0, 0, 1}, Case{0.52, 1e-9, 0, 5, 0.04}}) {
    const contest::Contest experiment = Made(is.cub_ms, is.calibrated_ms).contest();
    CHECK(experiment.unmeasured == 0);
    CHECK(experiment.foreign == 0);
    for (const std::string peer : {"CUB", "CUB fitted"}) {
      INFO(peer << ", " << is.cub_ms << " ms");
      const ExperimentScore found = score(experiment.events, peer);
      CHECK(found.cells == 5);
      CHECK(found.right == is.right);
      CHECK(found.near == is.near);
      CHECK(found.side == is.right);
      for (const contest::Event& input : experiment.events) {
        const auto winners = verdict(input, peer);
        REQUIRE(winners);
        CHECK(winners->predicted_winner == (is.loss == 0 ? "H-P" : peer));
        CHECK(winners->measured_winner == "H-P");
        CHECK(winners->loss == Catch::Approx(is.loss));
      }
    }
  }
}

TEST_CASE("an incomplete cell has no winner", "[experiment]") {
  Made made(1, 1);
  std::vector<TimingRecord>& records = made.options.records;
  const auto hp = std::find_if(records.begin(), records.end(),
                               [](const auto& r) { return r.config.algorithm == "hp_sort"; });
  REQUIRE(hp != records.end());
  records.erase(hp);
  const contest::Contest experiment = made.contest();
  CHECK(experiment.unmeasured == 1);
  CHECK(score(experiment.events, "CUB").cells == 4);
}

TEST_CASE("results that differ within a cell are an error that names them", "[experiment]") {
  Made made(1, 1);
  std::vector<TimingRecord>& records = made.options.records;
  for (TimingRecord& record : records) {
    if (record.config.algorithm == "seed_one_hp_sort") record.checksum = 8;
  }
  CHECK_THROWS_AS(made.contest(), Mismatch);
  CHECK_THROWS_WITH(made.contest(), says("seed 1-H-P", "distinct, delta = 1, n = 100000", "CUB"));
}

TEST_CASE("records of several devices and no records are refused", "[experiment]") {
  Made made(1, 1);
  std::vector<TimingRecord>& records = made.options.records;
  records.back().environment.device = "other";
  CHECK_THROWS_AS(made.contest(), UsageError);
  records.clear();
  CHECK_THROWS_AS(made.contest(), UsageError);
}

TEST_CASE("records of other runs are counted and left out", "[experiment]") {
  Made made(1, 1);
  std::vector<TimingRecord>& records = made.options.records;
  records.push_back(records.front());
  records.back().config.seed = 99;
  CHECK(made.contest().foreign == 1);
}

TEST_CASE("findings about distinct keys", "[experiment]") {
  const auto border = [](double delta) {
    if (delta > 0.9) return 2'000'000;
    return delta > 0.4 ? 1'300'000 : 700'000;
  };
  const auto with_one_hp = [](const std::function<double(const contest::Event&)>& one_hp) {
    return inputs_with([&](const contest::Event& input, const std::string& sort) {
      return sort == "1-H-P" ? one_hp(input) : 2.0;
    });
  };
  const auto as_printed = with_one_hp([&](const contest::Event& input) {
    return input.n <= border(input.panel.keys.delta) ? 1.0 : 3.0;
  });
  CHECK(judgement_of(as_printed, "distinct keys").verdict == Verdict::holds);
  // delta = 1: 0.2, 0.3, 0.5, 0.7, 1, 1.3, 2 M; 0.5: six of them; 0.25: four
  CHECK(judgement_of(as_printed, "distinct keys").checked == 17);
  CHECK(judgement_of(as_printed, "distinct keys").numbers ==
        "1-H-P is fastest at: delta = 1: 0.2-2 M; delta = 0.5: 0.2-1.3 M; delta = 0.25: 0.2-0.7 M");
  for (const char* const part : {"not beyond", "nearer delta", "from n = 0.1 M"}) {
    CHECK(judgement_of(as_printed, part).verdict == Verdict::holds);
  }
  const auto always = with_one_hp([](const contest::Event&) { return 1.0; });
  CHECK(judgement_of(always, "distinct keys").verdict == Verdict::holds);
  CHECK(judgement_of(always, "not beyond").verdict == Verdict::fails);
  CHECK(judgement_of(always, "nearer delta").verdict == Verdict::fails);
  const auto never = with_one_hp([](const contest::Event&) { return 3.0; });
  CHECK(judgement_of(never, "distinct keys").verdict == Verdict::fails);
  CHECK(judgement_of(never, "distinct keys").held == 0);
  CHECK(judgement_of(never, "not beyond").verdict == Verdict::holds);
  const auto up_to_1m =
      with_one_hp([](const contest::Event& input) { return input.n > 1'000'000 ? 3.0 : 0.5; });
  CHECK(judgement_of(up_to_1m, "distinct keys").verdict == Verdict::partly);
  CHECK(judgement_of(up_to_1m, "distinct keys").held == 5 + 5 + 4);
}

TEST_CASE("findings about the border that moves with sigma", "[experiment]") {
  const auto with_border = [](const std::function<double(double sigma)>& border) {
    return inputs_with([=](const contest::Event& input, const std::string& sort) {
      if (sort == "CUB" || sort == "CUB fitted") return 2.0;
      return static_cast<double>(input.n) >= border(input.panel.keys.sigma) ? 1.0 : 3.0;
    });
  };
  const std::string part = "grows with sigma";
  CHECK(judgement_of(with_border([](double sigma) { return sigma * 1e5; }), part).verdict ==
        Verdict::holds);
  CHECK(judgement_of(with_border([](double sigma) { return 1e8 / sigma; }), part).verdict ==
        Verdict::fails);
  CHECK(judgement_of(with_border([](double) { return 1e9; }), part).verdict == Verdict::unknown);
  CHECK(judgement_of(with_border([](double) { return 0; }), part).verdict == Verdict::unknown);
}

TEST_CASE("findings about trends", "[experiment]") {
  const auto falling = inputs_with([](const contest::Event& input, const std::string& sort) {
    return sort == "CUB" ? 5.0 : 1e7 / static_cast<double>(input.keys().range);
  });
  CHECK(judgement_of(falling, "as maxVal grows").verdict == Verdict::holds);
  CHECK(judgement_of(falling, "gets faster as delta grows").verdict == Verdict::fails);
  CHECK(judgement_of(falling, "maxVal = 100: CUB").verdict == Verdict::holds);
  CHECK(judgement_of(falling, "CUB's time").verdict == Verdict::holds);

  const auto overtaking = inputs_with([](const contest::Event& input, const std::string& sort) {
    const double n = static_cast<double>(input.n);
    return sort == "CUB" ? 1 + 1e-7 * n : 0.5 + 1e-6 * n;
  });
  CHECK(judgement_of(overtaking, "overtakes").verdict == Verdict::holds);
  CHECK(judgement_of(overtaking, "overtakes").numbers ==
        "CUB is fastest at maxVal = 1000, sigma = 100: 1-20 M");
}

TEST_CASE("without times no finding is judged", "[experiment]") {
  for (const Finding& finding : findings_of({})) {
    INFO(finding.statement);
    REQUIRE(finding.judgements.size() == 4);
    for (const Judgement& judgement : finding.judgements) {
      CHECK(judgement.verdict == Verdict::unknown);
      CHECK(judgement.checked == 0);
    }
  }
}

TEST_CASE("the experiment is written with its scores and plots", "[experiment]") {
  const contest::Contest experiment = Made(1, 1e6).contest();
  const std::string text = report::to_text(to_report(experiment));
  CHECK_THAT(text, says("Fake GPU", "the predicted winner is the measured one for 5 of 5 inputs",
                        "calibrated by runs of its own"));

  const auto json = nlohmann::json::parse(report::to_json(to_report(experiment)));
  CHECK(json.at("cells").size() == 5);
  CHECK(json.at("scores").at(0).at("right") == 5);
  REQUIRE(json.at("plots").size() == 5);
  for (const auto& plot : json.at("plots")) {
    const auto& series = plot.at("panels").at(0).at("series");
    CHECK(series.size() >= 4);
    for (const auto& one : series) CHECK(one.at("points").size() + one.at("line").size() > 0);
  }
}
