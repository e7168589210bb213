#include "agpusim/commands/analyze/analysis.hpp"

#include <algorithm>
#include <cmath>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/predict/predict.hpp"

using namespace agpusim;
using namespace agpusim::test;

namespace {

/// A folder with a device file and the given records.
class Bench {
 public:
  explicit Bench(const std::vector<std::string>& lines) {
    put(folder_ / "fake.json", fake_device_json());
    append_records(folder_ / "r.jsonl", lines);
    options.records = {folder_ / "r.jsonl"};
    options.devices = folder_.path();
    options.threads = 1;
  }

  [[nodiscard]] Analysis analysis(const Registry& registry = fake_registry()) const {
    return analyze(registry, options);
  }

  template <class Exception = FileError>
  [[nodiscard]] std::string refusal() const {
    return message_of<Exception>([&] { return analysis(); });
  }

  AnalysisOptions options;

 private:
  TempFolder folder_;
};

template <class F>
std::string refusal_of(F change) {
  auto record = fake_timing(1024, 1);
  change(record);
  Bench bench({to_line(record)});
  bench.options.verify_limit = 1e9;
  return bench.refusal();
}

}  // namespace

TEST_CASE("a row holds counts, prediction, measurement and error", "[validation][analysis]") {
  const Analysis analysis = Bench({to_line(fake_timing(1 << 20, 2))}).analysis();
  CHECK(analysis.device.name == "Fake GPU");
  REQUIRE(analysis.groups.size() == 1);
  const auto& group = analysis.groups.front();
  CHECK(group.algorithm == "twice");
  CHECK(group.machine == "AGPU(p=16896, b=32, M=14528, w=32), V=32");
  REQUIRE(group.rows.size() == 1);
  const auto& row = group.rows.front();
  const auto config = fake_config(1 << 20);
  const auto report = fake_report(config);
  CHECK(row.count("T") == report.time());
  CHECK(row.count("Q") == 4 * 32768);
  CHECK(row.phases == 2);
  CHECK(row.lower.io == 2 * 32768);
  CHECK(row.lower.time == 1);
  CHECK(row.counted->source == CountSource::derived);
  CHECK(row.differences.empty());
  CHECK(row.checksum == ChecksumSource::none);
  CHECK(row.measured->ms == Approx(2));
  CHECK(row.measured->low_ms == Approx(1.91));
  CHECK(row.measured->high_ms == Approx(2.09));
  CHECK(row.measured->samples == 10);
  CHECK(row.error == Approx(row.predicted->milliseconds / 2 - 1));
  CHECK(analysis.summary.rows == 1);
  CHECK(analysis.summary.mape == Approx(std::abs(row.error)));
  CHECK_FALSE(analysis.summary.pearson);
}

TEST_CASE("a row that is predicted from compiled kernels says so and keeps none of them",
          "[validation][analysis]") {
  Algorithm twice = fake_registry().find("twice");
  twice.family = "doubles";
  twice.compiled = [](const RunConfig& config) { return fake_report(config).phases; };
  Registry registry;
  registry.add(twice);
  const Bench bench({to_line(fake_timing(1024, 1))});
  const auto group = bench.analysis(registry).groups.at(0);
  CHECK(group.family == "doubles");
  CHECK(group.rows.at(0).from_kernels);
  CHECK(group.rows.at(0).compiled.empty());
  CHECK_FALSE(bench.analysis().groups.at(0).rows.at(0).from_kernels);
}

TEST_CASE("wrong derived counts are seen when the run is simulated",
          "[validation][analysis][ruler]") {
  Bench bench({to_line(fake_timing(1024, 1))});
  bench.options.verify_limit = 1e9;
  const auto simulated = bench.analysis(fake_registry(1)).groups.at(0).rows.at(0);
  CHECK(simulated.counted->source == CountSource::simulated);
  CHECK(simulated.differences.size() == 1);
  CHECK(simulated.checksum == ChecksumSource::simulation);
  bench.options.verify_limit = 0;
  const auto row = bench.analysis(fake_registry(1)).groups.at(0).rows.at(0);
  CHECK(row.counted->source == CountSource::derived);
  CHECK(row.differences.empty());
  CHECK(row.count("T") == simulated.count("T"));
  CHECK(row.count("Q") == simulated.count("Q"));
}

TEST_CASE("a device twice as fast as predicted gives an error of one",
          "[validation][analysis][ruler]") {
  const std::vector<PhaseReport> forms =
      fake_registry().find("twice").derive(fake_config(1 << 20))->phases;
  const double predicted = predict(fake_config(1 << 20).spec, forms, fake_device()).milliseconds;
  const Analysis analysis = Bench({to_line(fake_timing(1 << 20, predicted / 2))}).analysis();
  CHECK(analysis.groups.at(0).rows.at(0).error == Approx(1));
  CHECK(analysis.groups.at(0).mape == Approx(1));
  REQUIRE(analysis.summary.worst);
  CHECK(analysis.summary.worst->error == Approx(1));
  CHECK(analysis.summary.worst->n == 1 << 20);
}

TEST_CASE("rows are sorted by n and grouped by machine and parameters", "[validation][analysis]") {
  auto wide = fake_timing(2048, 1);
  wide.config.spec.width = 64;
  auto tiled = fake_timing(2048, 1);
  tiled.config.parameters["tile"] = 1024;
  const Analysis analysis = Bench({to_line(wide), to_line(fake_timing(1 << 20, 2)), to_line(tiled),
                                   to_line(fake_timing(1000, 1))})
                                .analysis();
  REQUIRE(analysis.groups.size() == 3);
  std::vector<std::string> machines;
  for (const auto& group : analysis.groups) machines.push_back(group.machine);
  std::sort(machines.begin(), machines.end());
  CHECK_THAT(machines[0], says("V=32"));
  CHECK_THAT(machines[1], says("V=32, tile=1024"));
  CHECK_THAT(machines[2], says("V=64"));
  for (const auto& group : analysis.groups) {
    if (group.machine != machines[0]) continue;
    REQUIRE(group.rows.size() == 2);
    CHECK(group.rows[0].n() == 1000);
    CHECK(group.rows[1].n() == 1 << 20);
  }
  CHECK(analysis.summary.pearson.has_value());
  CHECK(analysis.summary.spearman.has_value());
}

TEST_CASE("what differs in type is in another group, in seed or input another row",
          "[validation][analysis]") {
  Algorithm row = fake_registry().find("twice");
  row.types = {"u32", "u64"};
  Registry registry;
  registry.add(row);
  auto wide = fake_timing(1024, 1);
  wide.config.type = "u64";
  auto sorted = fake_timing(1024, 1);
  sorted.config.input = "sorted";
  auto seeded = fake_timing(1024, 1);
  ++seeded.config.seed;
  ++seeded.checksum;
  const Analysis analysis =
      Bench({to_line(fake_timing(1024, 1)), to_line(wide), to_line(sorted), to_line(seeded)})
          .analysis(registry);
  REQUIRE(analysis.groups.size() == 2);
  CHECK(analysis.groups[0].type == "u32");
  CHECK(analysis.groups[0].rows.size() == 3);
  CHECK(analysis.groups[1].type == "u64");
  CHECK(analysis.groups[1].rows.size() == 1);
}

TEST_CASE("the worst row is the one that is farthest off, above or below",
          "[validation][analysis]") {
  const auto predicted = [](std::int64_t n) {
    const Analysis analysis = Bench({to_line(fake_timing(n, 1))}).analysis();
    return analysis.groups.at(0).rows.at(0).predicted->milliseconds;
  };
  // Errors of -60 % and +10 %.
  const Analysis analysis = Bench({to_line(fake_timing(1024, predicted(1024) / 0.4)),
                                   to_line(fake_timing(2048, predicted(2048) / 1.1))})
                                .analysis();
  REQUIRE(analysis.summary.worst);
  CHECK(analysis.summary.worst->n == 1024);
  CHECK(analysis.summary.worst->error == Approx(-0.6));
}

TEST_CASE("the latest record of a run counts", "[validation][analysis]") {
  auto old_record = fake_timing(1024, 9);
  old_record.date = "2026-01-01T00:00:00Z";
  const Analysis analysis = Bench({to_line(fake_timing(1024, 1)), to_line(old_record)}).analysis();
  REQUIRE(analysis.groups.at(0).rows.size() == 1);
  CHECK(analysis.groups[0].rows[0].measured->ms == Approx(1));
}

TEST_CASE("counters of all launches are compared", "[validation][analysis]") {
  auto wrong = fake_counters(2048, 1);
  ++wrong.metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"];
  const Analysis analysis = Bench({to_line(fake_counters(1024, 0)), to_line(fake_counters(1024, 1)),
                                   to_line(fake_counters(2048, 0)), to_line(wrong)})
                                .analysis();
  CHECK(analysis.groups.empty());
  CHECK_FALSE(analysis.summary.worst);
  CHECK(analysis.counters.launches == 4);
  CHECK(analysis.counters.equal == 3);
  REQUIRE(analysis.counters.differences.size() == 1);
  CHECK(analysis.counters.differences[0].n == 2048);
}

TEST_CASE("filters choose by algorithm, device and size", "[validation][analysis]") {
  auto other = fake_timing(4096, 1);
  other.environment.device = "Other GPU";
  Bench bench({to_line(fake_timing(1024, 1)), to_line(fake_timing(2048, 1)), to_line(other)});
  CHECK_THAT(bench.refusal<UsageError>(), says("choose one of Fake GPU, Other GPU"));
  bench.options.device = "Fake GPU";
  CHECK(bench.analysis().summary.rows == 2);
  bench.options.n_min = 1025;
  CHECK(bench.analysis().summary.rows == 1);
  bench.options.n_max = 1026;
  CHECK_THAT(bench.refusal<UsageError>(), says("no record fits"));
  bench.options.algorithm = "thrice";
  CHECK_THAT(bench.refusal<UsageError>(), says("thrice"));
}

TEST_CASE("a device without a file is refused", "[validation][analysis][bad_input]") {
  auto record = fake_timing(4096, 1);
  record.environment.device = "Other GPU";
  CHECK_THAT(Bench({to_line(record)}).refusal<UsageError>(),
             says("unknown device 'Other GPU': known: fake (Fake GPU), in "));
}

TEST_CASE("a record that is not of the run it claims is refused",
          "[validation][analysis][bad_input]") {
  CHECK_THAT(refusal_of([](auto& r) { r.config.algorithm = "thrice"; }),
             says("r.jsonl:1 with n = 1024: this agpusim has no algorithm 'thrice'"));
  const std::string place = "r.jsonl:1 with n = 1024: twice";
  CHECK_THAT(refusal_of([](auto& r) { ++r.checksum; }), says(place + ": field 'checksum'"));
  CHECK_THAT(refusal_of([](auto& r) { r.config.seed = 2; }), says(place + ": field 'checksum'"));
  CHECK_THAT(refusal_of([](auto& r) { r.config.parameters.clear(); }),
             says(place + ": field 'parameters'"));
  CHECK_THAT(refusal_of([](auto& r) { r.config.parameters["color"] = 1; }),
             says(place + " cannot run"));
  CHECK_THAT(refusal_of([](auto& r) { r.config.input = ""; }), says(place + ": field 'input'"));
  CHECK_THAT(refusal_of([](auto& r) { r.config.input = "odd"; }), says(place + " cannot run"));
  CHECK_THAT(refusal_of([](auto& r) { r.config.spec.block_words = 33; }),
             says(place + " cannot run"));
  CHECK_THAT(refusal_of([](auto& r) { r.config.n = 0; }), says("twice cannot run: n = 0"));
}

TEST_CASE("records that cannot be used are counted by reason, the others are used",
          "[validation][analysis][bad_input]") {
  auto other = fake_timing(2048, 1);
  other.config.algorithm = "thrice";
  auto another = fake_timing(4096, 1);
  another.config.algorithm = "thrice";
  auto seeded = fake_timing(1024, 1);
  seeded.config.parameters.clear();
  auto counters = fake_counters(1024, 0);
  counters.kernel = "another";
  std::string edited = to_line(fake_timing(8192, 1));
  edited.replace(edited.find("8192"), 4, "8193");
  const Analysis analysis = Bench({to_line(fake_timing(1024, 1)), to_line(other), to_line(seeded),
                                   to_line(another), edited, to_line(counters)})
                                .analysis();
  CHECK(analysis.summary.rows == 1);
  CHECK(analysis.counters.launches == 0);
  REQUIRE(analysis.unusable.size() == 4);
  CHECK_THAT(analysis.unusable[0].reason, says("damaged: the digest"));
  CHECK_THAT(analysis.unusable[0].first, says("r.jsonl:5"));
  CHECK(analysis.unusable[1].reason == "this agpusim has no algorithm 'thrice'");
  CHECK(analysis.unusable[1].records == 2);
  CHECK_THAT(analysis.unusable[1].first, says("r.jsonl:2"));
  CHECK_THAT(analysis.unusable[2].reason, says("field 'parameters'"));
  CHECK_THAT(analysis.unusable[3].reason, says("kernel 'another'"));
}

TEST_CASE("checksums of large runs are verified on demand", "[validation][analysis][bad_input]") {
  auto record = fake_timing(1024, 1);
  ++record.checksum;
  Bench bench({to_line(record)});
  CHECK(bench.analysis().groups.at(0).rows.at(0).checksum == ChecksumSource::none);
  bench.options.verify_all = true;
  CHECK_THAT(bench.refusal(), says("field 'checksum'"));
  Bench good({to_line(fake_timing(1024, 1))});
  good.options.verify_all = true;
  CHECK(good.analysis().groups.at(0).rows.at(0).checksum == ChecksumSource::reference);
}

TEST_CASE("a simulation with a wrong result is a defect", "[validation][analysis]") {
  Algorithm row = fake_registry().find("twice");
  row.simulate = [](const RunConfig& config, const SimulationOptions&) {
    return RunResult{fake_report(config), 1, false};
  };
  Registry registry;
  registry.add(row);
  Bench bench({to_line(fake_timing(1024, 1))});
  bench.options.verify_limit = 1e9;
  CHECK_THROWS_AS(bench.analysis(registry), Mismatch);
}

TEST_CASE("runs whose counts are not known: the cheapest are simulated, the others extrapolated",
          "[validation][analysis]") {
  Algorithm row = fake_registry().find("twice");
  row.derive = [](const RunConfig&) { return std::nullopt; };
  row.time = {"n", [](const auto& s) { return s.n; }};
  row.io = {"n", [](const auto& s) { return s.n; }};
  Registry registry;
  registry.add(row);
  Bench bench({to_line(fake_timing(1 << 22, 1)), to_line(fake_timing(1 << 24, 1)),
               to_line(fake_timing(1 << 23, 1))});
  bench.options.simulate_limit = 1;
  for (const int n : {1 << 22, 1 << 23, 1 << 24}) {
    bench.options.simulate_limit += estimated_lane_operations(row, fake_config(n));
  }
  const auto sources = [&] {
    std::vector<CountSource> found;
    const Analysis analysis = bench.analysis(registry);
    for (const auto& one : analysis.groups.at(0).rows) found.push_back(one.counted->source);
    return found;
  };
  CHECK(sources() == std::vector(3, CountSource::simulated));
  bench.options.simulate_limit -= 2;
  CHECK(sources() ==
        std::vector{CountSource::simulated, CountSource::simulated, CountSource::extrapolated});

  const auto config = fake_config(1 << 24);
  const TempFolder folder;
  const auto report = fake_report(config);
  append_records(folder / "counts.jsonl", {to_line(CountRecord{config, report, {}, 0})});
  bench.options.counts = {folder / "counts.jsonl"};
  CHECK(sources() ==
        std::vector{CountSource::simulated, CountSource::simulated, CountSource::stored});
}

TEST_CASE("each run is simulated once and progress ends at one", "[validation][analysis]") {
  Algorithm row = fake_registry().find("twice");
  int simulations = 0;
  row.simulate = [&](const RunConfig& config, const SimulationOptions&) {
    ++simulations;
    return RunResult{fake_report(config), fake_checksum(config), true};
  };
  Registry registry;
  registry.add(row);
  Bench bench({to_line(fake_timing(1024, 1)), to_line(fake_counters(1024, 0)),
               to_line(fake_counters(1024, 1)), to_line(fake_timing(2048, 1))});
  bench.options.verify_limit = 1e9;
  std::vector<double> fractions;
  bench.options.progress = [&](std::string_view, double fraction) {
    fractions.push_back(fraction);
  };
  static_cast<void>(bench.analysis(registry));
  CHECK(simulations == 2);
  REQUIRE(fractions.size() == 3);
  CHECK(fractions.front() == 0);
  CHECK(std::is_sorted(fractions.begin(), fractions.end()));
  CHECK(fractions.back() == 1);
}
