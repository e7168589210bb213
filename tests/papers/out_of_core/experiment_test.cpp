#include "agpusim/papers/out_of_core/experiment.hpp"

#include <fstream>

#include <nlohmann/json.hpp>

#include "agpusim/commands/pipeline/tasks.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/io/json_lines.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim::out_of_core {
namespace {

const SeedTask& seed_task(const std::string& name) {
  for (const SeedTask& task : seed_tasks()) {
    if (task.task == name) return task;
  }
  FAIL("no task " + name);
  return seed_tasks().front();
}

// Theory 5: the ratios of the bandwidths that seed 004 printed.
TEST_CASE("the transfer model predicts the seed's machine from its bandwidths", "[out_of_core]") {
  CHECK(predict(seed_task("reduce"))->bound == Approx(3.28).margin(0.005));
  CHECK(predict(seed_task("scan"))->bound == Approx(1.36).margin(0.005));
  CHECK(predict(seed_task("transform_const"))->bound == Approx(1.03).margin(0.005));
  CHECK(predict(seed_task("transform_trig"))->bound == Approx(26.9).margin(0.05));
  CHECK(predict(seed_task("transform_trig"))->by_read == Approx(38.5).margin(0.05));
  // Table 2 alone: 12.4 GB/s in and 13.2 out.
  CHECK(predict(seed_task("reduce"))->by_link == Approx(12.4 / 3.512));
  CHECK(predict(seed_task("scan"))->by_link == Approx(12.4 / 3.580 / 2));
  // 13 passes over places and values, one over the output; the host reads 24 bytes an element.
  CHECK(predict(seed_task("scatter"))->bound ==
        Approx(24 / 13.616 / (13 * 16 / 12.412 + 8 / 13.9)).margin(1e-4));
  CHECK(predict(seed_task("scatter"))->by_read == Approx(24 / 13.616 / (13 * 16 / 12.412)));
  CHECK_FALSE(predict(seed_task("sort")).has_value());
  for (const SeedTask& task : seed_tasks()) {
    const auto prediction = predict(task);
    if (!prediction) continue;
    CAPTURE(task.task);
    // Filling and draining a pipeline of 597 chunks; nothing is drained where nothing is written.
    CHECK(prediction->scheduled <= prediction->bound);
    CHECK(prediction->scheduled > 0.99 * prediction->bound);
  }
}

RunRecord record_of(const Run& run, std::vector<double> seconds, const std::string& date) {
  return RunRecord{.environment = {.device = "NVIDIA H200"},
                   .host_cores = 16,
                   .date = date,
                   .run = run,
                   .seconds = std::move(seconds),
                   .stop = "repeats"};
}

TEST_CASE("records of out-of-core runs survive a file", "[out_of_core]") {
  RunRecord record =
      record_of({"scan", "one_pass", 1000, 3'000'000'000, 100, 3, transfer::HostMemory::pageable},
                {0.25, 0.5}, "2026-11-21T00:00:00Z");
  transfer::Operation operation{
      .engine = transfer::Engine::copy_out, .stream = 2, .name = "out", .chunk = 4, .bytes = 800};
  record.timeline = {{operation}, {{0.5, 0.75}}};
  const auto path = std::filesystem::temp_directory_path() / "agpusim_run_record_test.jsonl";
  std::ofstream(path) << to_line(record) << '\n';
  const std::vector<RunRecord> read = read_run_records(path);
  REQUIRE(read.size() == 1);
  CHECK(read.front().run == record.run);
  CHECK(read.front().seconds == record.seconds);
  CHECK(read.front().timeline.operations == record.timeline.operations);
  CHECK(read.front().timeline.intervals.front().end == 0.75);

  std::string edited = to_line(record);
  edited.replace(edited.find("0.25"), 4, "0.24");
  std::ofstream(path) << edited << '\n';
  CHECK_THROWS_AS(read_run_records(path), FileError);

  auto json = nlohmann::json::parse(to_line(record));
  for (const char* const member : {"digest", "kind", "schema"}) json.erase(member);
  json["memory"] = "mapped";
  std::ofstream(path) << agpusim::detail::seal(json, "out_of_core") << '\n';
  CHECK_THROWS_WITH(read_run_records(path), says("'mapped'"));
  json.erase("memory");
  std::ofstream(path) << agpusim::detail::seal(json, "out_of_core") << '\n';
  CHECK(read_run_records(path).front().run.memory == transfer::HostMemory::pinned);
  std::filesystem::remove(path);
}

TEST_CASE("traffic is bytes over the makespan, wherever they pass", "[out_of_core]") {
  using transfer::Engine;
  transfer::Pipeline pipeline;
  const auto add = [&](Engine engine, std::int64_t bytes) {
    pipeline.add(transfer::Operation{.engine = engine, .bytes = bytes});
  };
  add(Engine::copy_in, 100);
  add(Engine::copy_in, 20);
  add(Engine::compute, 0);
  add(Engine::copy_out, 60);
  add(Engine::host, 1000);
  const Traffic traffic = traffic_of(pipeline, 0.5, 10'000);
  CHECK(traffic.in == 240);
  CHECK(traffic.out == 120);
  CHECK(traffic.device == 2 * (100 + 20 + 60 + 10'000));
  CHECK(traffic.host == 2 * (100 + 20 + 60 + 1000));
}

// A run that went as predicted, in twice the time, of every task.
TEST_CASE("every task stands beside its plan, its host and its timeline", "[out_of_core]") {
  const DeviceFile device = load_device(data_folder() / "devices" / "h200.json");
  constexpr std::int64_t n = 10'000'000;
  constexpr const char* date = "2026-11-21T00:00:00Z";
  std::vector<RunRecord> records;
  for (const Task& task : tasks()) {
    const Run run{task.name, task.schemes.front().name, n, 3'000'000'000, 1 << 20, 3};
    const Plan plan = make_plan(request_of(run, device));
    records.push_back(record_of(run, {2 * plan.schedule.makespan}, date));
    Timeline& timeline = records.back().timeline;
    timeline.operations = plan.pipeline.operations();
    timeline.intervals = plan.schedule.intervals;
    for (transfer::Interval& interval : timeline.intervals) {
      interval = {2 * interval.begin, 2 * interval.end};
    }
    records.push_back(record_of({task.name, "host_all", n}, {4 * plan.schedule.makespan}, date));
  }
  const Experiment experiment = compare_runs(records, device);
  REQUIRE(experiment.rows.size() == 2 * tasks().size());
  for (std::size_t i = 0; i < tasks().size(); ++i) {
    const ExperimentRow& row = experiment.rows[2 * i];
    CAPTURE(row.run.task);
    CHECK(row.run.task == tasks()[i].name);
    CHECK(*row.error() == Approx(-0.5));
    CHECK(*row.host_all == Approx(2 * row.seconds()));
    CHECK_FALSE(row.host_one.has_value());
    CHECK(row.floor <= *row.predicted_ms / 1e3);
  }
  REQUIRE(experiment.timelines.size() == tasks().size());
  const std::string text = report::to_text(to_report(experiment));
  for (const MeasuredTimeline& timeline : experiment.timelines) {
    CAPTURE(timeline.run.task);
    const Traffic& measured = timeline.traffic_measured;
    const Traffic& predicted = timeline.traffic_predicted;
    CHECK(measured.in == Approx(predicted.in / 2));
    CHECK(measured.out == Approx(predicted.out / 2));
    CHECK(measured.device == Approx(predicted.device / 2));
    CHECK(measured.host == Approx(predicted.host / 2));
    CHECK(predicted.device > predicted.in + predicted.out);
    CHECK_THAT(text, says('\n' + timeline.run.task + ' '));
  }
  records.resize(2);
  CHECK(compare_runs(records, device).rows.size() == 2);  // the others are absent
}

}  // namespace
}  // namespace agpusim::out_of_core
