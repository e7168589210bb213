#include "agpusim/commands/why/explain.hpp"

#include <algorithm>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/validation/predict/residency.hpp"

using namespace agpusim;

namespace {

/// A kernel of 10 additions a task in one warp, and one that reads 1 GB.
std::vector<PhaseReport> two_phases() {
  PhaseReport compute;
  compute.kernel = "compute";
  compute.tasks = 1000;
  compute.execution.counted = true;
  compute.execution.total.operations[static_cast<std::size_t>(Op::add)] = 10'000;
  PhaseReport read = compute;
  read.kernel = "read";
  read.execution.total = {};
  read.execution.total.read_sectors[0] = 31'250'000;
  read.execution.array_sectors[0] = 31'250'000;
  return {compute, read, compute};
}

Row row_of(std::vector<PhaseReport> phases, const TimingRecord* record = nullptr) {
  static const DeviceFile device = test::fake_device();
  Row row{.run = {.config = test::fake_config(1000)}};
  row.run.device = &device;
  PredictedRun predicted = predict_run(row.run.config, phases, device);
  row.predicted = std::move(predicted.prediction);
  row.why_not_predicted = std::move(predicted.why_not);
  row.counted = Counted{};
  row.counted->report.phases = std::move(phases);
  row.record = record;
  if (record != nullptr) row.measured = measurement_of(*record);
  return row;
}

why::Explanation explained(const TimingRecord* record = nullptr) {
  return why::explain(row_of(two_phases(), record));
}

}  // namespace

TEST_CASE("an explanation has the parts of the prediction and what is left without each",
          "[validation][why]") {
  const why::Explanation why = explained();
  double sum = 0;
  for (const Resource& resource : why.resources) {
    sum += resource.part_ms;
    CHECK(resource.without_ms <= why.row.predicted->milliseconds);
    CHECK_FALSE(resource.counts.empty());
    CHECK_FALSE(resource.needed);
  }
  CHECK(sum == Approx(why.row.predicted->milliseconds));
  CHECK(why.resources.front().name == "bandwidth");
  CHECK(why.resources.front().alone_ms == Approx(1e9 / 1100 * 1e-6));
  CHECK(why.resources.front().limit_then == "launch");
  REQUIRE(why.kernels.size() == 2);
  CHECK(why.kernels.front().name == "read");
  CHECK(why.kernels.back().launches == 2);
}

TEST_CASE("parts, kernels and what is left add up to a prediction from compiled kernels",
          "[validation][why]") {
  auto compiled = two_phases();
  compiled[1].execution.total.read_sectors[0] *= 3;
  compiled[1].execution.array_sectors[0] *= 3;
  compiled[0].instructions = 7'000'000;
  Row row = row_of(compiled);
  const double predicted = row.predicted->milliseconds;
  row.counted->report.phases = two_phases();
  row.compiled = compiled;
  const why::Explanation why = why::explain(row);
  double parts = 0;
  double kernels = 0;
  for (const Resource& resource : why.resources) {
    parts += resource.part_ms;
    if (resource.name == "launch") {
      kernels += resource.part_ms;
      CHECK(resource.without_ms == Approx(predicted - resource.part_ms));
    }
    if (resource.name == "bandwidth") CHECK(resource.alone_ms == Approx(3e9 / 1100 * 1e-6));
    if (resource.name == "issue") CHECK_THAT(resource.counts, says("7,010,000 warp"));
  }
  for (const why::Kernel& kernel : why.kernels) kernels += kernel.ms;
  CHECK(parts == Approx(predicted));
  CHECK(kernels == Approx(predicted));
  CHECK_THAT(report::to_text(why::to_report(why)), says("predicted from the compiled kernels"));
  CHECK_THAT(report::to_text(why::to_report(explained())), says("predicted from the counts"));
}

TEST_CASE("contention is that of one phase", "[validation][why]") {
  auto phases = two_phases();
  phases[0].contention = 3;
  phases[1].contention = 5;
  phases[1].counts.global_atomic = {7, 7, 7};
  const why::Explanation why = why::explain(row_of(phases));
  const auto atomics =
      std::find_if(why.resources.begin(), why.resources.end(),
                   [](const Resource& resource) { return resource.name == "atomics"; });
  REQUIRE(atomics != why.resources.end());
  CHECK(atomics->counts == "7 atomic requests, at most 5 operations on one word");
}

TEST_CASE("the residual is what a resource would have to be times", "[validation][why]") {
  const double predicted = explained().row.predicted->milliseconds;
  const double bandwidth = 1e9 / 1100 * 1e-6;
  TimingRecord record = test::fake_timing(1000, predicted + bandwidth / 2);
  record.samples.microseconds = {1e3 * (predicted + bandwidth / 2)};
  record.origin = "here:1";
  const why::Explanation why = explained(&record);
  REQUIRE(why.resources.front().needed);
  CHECK(*why.resources.front().needed == Approx(1.5));
  CHECK_THAT(report::to_text(why::to_report(why)),
             says("less than measured (here:1)", "it is bandwidth"));
}

TEST_CASE("an explanation names the lines behind the largest part that has any",
          "[validation][why]") {
  CHECK(explained().lines.empty());
  CHECK(explained().of_lines.empty());
  RunReport by_line;
  for (const std::uint32_t line : {10U, 20U, 30U}) {
    LineCost cost{"read", "kernel.hpp", line, {}};
    cost.counts.global_read.sectors = line == 20 ? 600 : line == 30 ? 400 : 0;
    cost.counts.rounds = 7;
    by_line.lines.push_back(cost);
  }
  const why::Explanation why = why::explain(row_of(two_phases()), by_line);
  CHECK(why.of_lines == "bandwidth");
  REQUIRE(why.lines.size() == 2);
  CHECK(why.lines[0].place == "kernel.hpp:20");
  CHECK(why.lines[0].share == Approx(0.6));
  CHECK(why.lines[0].without_ms < why.lines[1].without_ms);
  CHECK(why.lines[1].without_ms < why.row.predicted->milliseconds);
  CHECK(why.lines[0].without_ms >= why.resources.front().without_ms);
}

TEST_CASE("a run that the device cannot hold is not explained", "[validation][why]") {
  auto phases = two_phases();
  phases[1].shared_words = 1 << 17;
  const RunConfig config = test::fake_config(1000);
  const DeviceFile device = test::fake_device();
  const std::string reason = why_not_resident(config, phases, device);
  CHECK_THAT(reason, Catch::Matchers::StartsWith("a task of read needs 525,312 bytes"));
  CHECK_THROWS_WITH(why::explain(row_of(phases)), "no time is predicted of twice: " + reason);
  const PredictedRun predicted = predict_run(config, phases, device);
  CHECK_FALSE(predicted.prediction);
  CHECK(predicted.why_not == reason);
}

TEST_CASE("a run that the device holds is predicted as predict does", "[validation][predict]") {
  const RunConfig config = test::fake_config(1000);
  DeviceFile device = test::fake_device();
  const PredictedRun predicted = predict_run(config, two_phases(), device);
  REQUIRE(predicted.prediction);
  CHECK(predicted.why_not.empty());
  CHECK(predicted.device == device.name);
  CHECK(predicted.prediction->milliseconds ==
        predict(config.spec, two_phases(), device).milliseconds);
  CHECK_FALSE(predict_run(config, {}, device).prediction);
  device.constants.clear();
  CHECK_FALSE(predict_run(config, two_phases(), device).why_not.empty());
}
