#include <algorithm>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/commands/compare/comparison_cases.hpp"
#include "agpusim/tests/support/catch.hpp"

using namespace agpusim;
using namespace agpusim::contest;
using namespace agpusim::test;

TEST_CASE("an entry holds counts, bounds, prediction and measurement", "[validation][comparison]") {
  Options options = options_of({"power", "line"});
  auto old_record = invented_record(run_of("line", 1000), 9);
  old_record.date = "2026-01-01T00:00:00Z";
  auto other_device = invented_record(run_of("line", 100), 9);
  other_device.environment.device = "Other GPU";
  auto other_machine = invented_record(run_of("line", 100), 9);
  other_machine.config.spec.shared_words = 64;
  auto spread = invented_record(run_of("line", 1000), 2);
  spread.samples.microseconds = {1900, 2000, 2200};
  options.records = {spread, old_record, other_device, other_machine};
  const Comparison comparison = compare(invented_registry(), options);
  REQUIRE(comparison.machines.size() == 1);
  const MachineResult& result = comparison.machines.front();
  REQUIRE(result.rows.size() == 4);
  REQUIRE(result.rows[2].n == 1000);
  const Row& power = result.rows[2].entries.at(0);
  const Row& line = result.rows[2].entries.at(1);
  REQUIRE(power.counted);
  REQUIRE(line.counted);
  CHECK(power.count("T") == 1000000);
  CHECK(line.count("T") == 64000);
  CHECK(power.count("Q") == 96);
  CHECK(line.count("Q") == 64);
  CHECK(line.counted->report.total().instructions() == 8);
  CHECK(line.counted->report.total().wavefronts() == 5);
  CHECK(line.phases == 1);
  CHECK(line.lower.io == 62);
  CHECK(line.lower.source == "invented");
  CHECK(line.source == "derived");
  CHECK(line.predicted.value().milliseconds > 0);
  CHECK(line.predicted->limit == "latency");
  REQUIRE(line.measured);
  CHECK(line.measured->ms == Approx(2));
  CHECK(line.measured->low_ms == Approx(1.9));
  CHECK(line.measured->high_ms == Approx(2.2));
  CHECK(line.measured->samples == 3);
  CHECK_FALSE(power.measured);
  CHECK_FALSE(result.rows[1].entries.at(1).measured);
}

TEST_CASE("counts, predictions and measurements each have their crossover",
          "[validation][comparison]") {
  Options options = options_of({"power", "line"});
  // Measured as n/100 and 10 ms: they meet at n = 1000, between 100 and 10000.
  for (const std::int64_t n : {10, 100, 10000}) {
    options.records.push_back(invented_record(run_of("power", n), static_cast<double>(n) / 100));
    options.records.push_back(invented_record(run_of("line", n), 10));
  }
  const Comparison comparison = compare(invented_registry(), options);
  const MachineResult& result = comparison.machines.front();
  REQUIRE(result.orders.size() == 4);
  const PairOrder& by_time = order_of(result, Measure::time);
  REQUIRE(by_time.crossovers.size() == 1);
  CHECK(*by_time.crossovers[0].n == Approx(64));
  CHECK(by_time.crossovers[0].n_below == 10);
  CHECK(by_time.crossovers[0].n_above == 100);
  CHECK(order_of(result, Measure::io).crossovers.empty());
  CHECK(order_of(result, Measure::io).second_ahead == 4);
  const PairOrder& predicted = order_of(result, Measure::predicted);
  REQUIRE(predicted.crossovers.size() == 1);
  CHECK(predicted.crossovers[0].n_below == 10);
  CHECK(predicted.crossovers[0].n_above == 100);
  const PairOrder& measured = order_of(result, Measure::measured);
  CHECK(measured.sizes == 3);
  REQUIRE(measured.crossovers.size() == 1);
  CHECK(*measured.crossovers[0].n == Approx(1000));
  CHECK(measured.crossovers[0].resolved);
  REQUIRE(result.agreements.size() == 3);
  CHECK(result.agreements[0].by == Measure::time);
  CHECK(result.agreements[0].sizes == 3);
  CHECK(result.agreements[0].right == 2);
  CHECK(result.agreements[2].by == Measure::predicted);
  CHECK(result.agreements[2].right == 2);
}

TEST_CASE("simulated counts are compared with the derived ones and the record",
          "[validation][comparison][ruler]") {
  Registry registry = invented_registry();
  Algorithm wrong = registry.find("line");
  wrong.name = "wrong";
  wrong.derive = registry.find("power").derive;
  registry.add(wrong);
  Options options = options_of({"line", "wrong"});
  options.sizes = {1000};
  options.simulate = true;
  const Comparison comparison = compare(registry, options);
  const auto& entries = comparison.machines[0].rows[0].entries;
  CHECK(entries[0].source == "simulated");
  CHECK(entries[0].counted->differences.wrong.empty());
  REQUIRE_FALSE(entries[1].counted->differences.wrong.empty());
  CHECK_THAT(entries[1].counted->differences.wrong.front(), says("blocks"));
  // The counts are the simulation's.
  CHECK(entries[1].count("T") == 64000);

  auto record = invented_record(run_of("line", 1000), 1);
  record.origin = "r.jsonl:1";
  ++record.checksum;
  options.records = {record};
  CHECK_THAT(message_of<FileError>([&] { return compare(registry, options); }),
             says("r.jsonl:1: line with n = 1000: field 'checksum'"));
  options.records.clear();
  options.require_memory = [](const RunConfig& config) {
    if (config.algorithm == "wrong") throw UsageError("too large for this host");
  };
  CHECK(compare(registry, options).machines[0].rows[0].entries[1].refusal ==
        "too large for this host");
}

TEST_CASE("what the device cannot run or does not know is not predicted",
          "[validation][comparison]") {
  Registry registry = invented_registry();
  Algorithm hungry = registry.find("line");
  hungry.name = "hungry";
  const auto usual = hungry.derive;
  hungry.derive = [usual](const RunConfig& config) {
    auto report = usual(config);
    // 200000 bytes are a multiprocessor's; a word has 4, and 1 KiB is reserved.
    report->phases.front().shared_words = config.n == 10 ? (200000 - 1024) / 4 : 50000;
    return report;
  };
  registry.add(hungry);
  Options options = options_of({"line", "hungry"});
  const Comparison comparison = compare(registry, options);
  const auto& rows = comparison.machines[0].rows;
  CHECK(rows[0].entries[1].predicted);
  CHECK_FALSE(rows[1].entries[1].predicted);
  CHECK_THAT(remarks_of(comparison),
             says("hungry not predicted: a task of invented needs 201,024 bytes"));

  auto& constants = options.machines[0].constants->constants;
  std::erase_if(constants, [](const Constant& one) { return one.name == "multiprocessors"; });
  CHECK_THAT(remarks_of(compare(registry, options)),
             says("line, hungry not predicted: fake.json: the constant "
                  "'multiprocessors' is missing"));
  options.machines[0].constants.reset();
  options.machines[0].why_not_predicted = "nobody knows it";
  CHECK_THAT(remarks_of(compare(registry, options)),
             says("No times are predicted on this machine: nobody knows it"));
}

TEST_CASE("counts that depend on data are extrapolated, by the bound, beyond what is affordable",
          "[validation][comparison]") {
  Registry registry = invented_registry();
  Algorithm data = registry.find("line");
  data.name = "data";
  data.derive = [](const RunConfig&) { return std::nullopt; };
  const auto usual = data.simulate;
  data.simulate = [usual](const RunConfig& config, const SimulationOptions& options) {
    RunResult result = usual(config, options);
    result.report.phases.front().counts.alu = config.n << 10;  // what a simulation costs
    return result;
  };
  data.time =
      data.io = {"n", [](const RunConfig& config) { return static_cast<double>(config.n); }};
  registry.add(data);
  Options options = options_of({"line", "data"});
  options.sizes = {1 << 10, 1 << 22};
  const Comparison comparison = compare(registry, options);
  const auto& rows = comparison.machines[0].rows;
  CHECK(rows[0].entries[0].source == "derived");
  CHECK(rows[0].entries[1].source == "simulated");
  CHECK(rows[0].entries[1].count("Q") == 2 * (1 << 5));
  CHECK(rows[1].entries[1].source == "extrapolated");
  CHECK(rows[1].entries[1].from_n < 1 << 22);
  CHECK(rows[1].entries[1].count("Q") == 2 * (1 << 17));
  CHECK_THAT(remarks_of(comparison), says("data is extrapolated at 1 of 2 sizes, the "
                                          "first n = 2^22"));
}

TEST_CASE("the fastest over several machines is named with its machine",
          "[validation][comparison]") {
  Options options = options_of({"line", "library"});
  options.machines.push_back(fake_machine());
  options.machines[1].label = "wide";
  options.machines[1].spec.width = 64;
  RunConfig wide = run_of("line", 100);
  wide.spec.width = 64;
  options.records = {invented_record(run_of("line", 100), 3), invented_record(wide, 2),
                     invented_record(run_of("line", 1000), 3),
                     invented_record(library_run(1000, 1000), 1),
                     invented_record(library_run(10, 10), 1)};
  const Comparison comparison = compare(invented_registry(), options);
  // At n = 10 there is one time only, however many machines it is shown on.
  REQUIRE(comparison.fastest_measured.size() == 2);
  CHECK(comparison.fastest_measured[0].n == 100);
  CHECK(comparison.fastest_measured[0].machine == 1U);
  CHECK(comparison.fastest_measured[0].contestant == 0);
  CHECK(comparison.fastest_measured[0].ms == Approx(2));
  // A program without a row runs on the device, not on a machine.
  CHECK_FALSE(comparison.fastest_measured[1].machine);
  CHECK(comparison.fastest_measured[1].contestant == 1);
  CHECK(comparison.fastest_predicted.size() == 4);
  options.machines.pop_back();
  CHECK(compare(invented_registry(), options).fastest_measured.empty());
}

TEST_CASE("progress names every counted run and grows", "[validation][comparison]") {
  Options options = options_of({"line", "library", "power"});
  options.records = {invented_record(library_run(10, 10), 1)};
  std::vector<std::string> labels;
  std::vector<double> fractions;
  options.progress = [&](std::string_view label, double fraction) {
    labels.emplace_back(label);
    fractions.push_back(fraction);
  };
  static_cast<void>(compare(invented_registry(), options));
  REQUIRE(labels.size() == 8);
  for (const std::string run : {"line with n = 10 on", "power with n = 10,000 on"}) {
    CHECK(std::count_if(labels.begin(), labels.end(),
                        [&](const std::string& label) { return label.starts_with(run); }) == 1);
  }
  CHECK(fractions.front() == 0);
  CHECK(fractions.back() == Approx(7.0 / 8));
  CHECK(std::is_sorted(fractions.begin(), fractions.end()));
}
