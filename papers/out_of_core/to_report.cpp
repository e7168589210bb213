#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "agpusim/commands/pipeline/gantt.hpp"
#include "agpusim/papers/out_of_core/experiment.hpp"
#include "agpusim/validation/io/stats.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/io/units.hpp"
#include "agpusim/validation/records/run_json.hpp"

namespace agpusim::out_of_core {
namespace {

using agpusim::detail::integer_text;
using agpusim::detail::percent_text;
using report::Column;
using report::Format;
using report::Section;
using report::Value;

/// A value of the runs on the device, null of those on the host.
template <class Get>
auto on_device(Get get) {
  return [get](const ExperimentRow& row) { return row.run.on_host() ? Value() : Value(get(row)); };
}

/// How many times as long another one takes.
auto over(std::optional<double> ExperimentRow::*other) {
  return [other](const ExperimentRow& row) {
    return row.*other ? Value(*(row.*other) / row.seconds()) : Value();
  };
}

const std::vector<Column<ExperimentRow>>& run_columns() {
  using Row = ExperimentRow;
  static const std::vector<Column<Row>> all = {
      {{"task", "task"}, [](const Row& row) { return row.run.task; }},
      {{"scheme", ""}, [](const Row& row) { return row.run.scheme; }},
      {{"", "scheme"}, [](const Row& row) { return row.run.scheme_text(); }},
      {{"memory", ""}, [](const Row& row) { return transfer::to_string(row.run.memory); }},
      {{"streams", ""}, [](const Row& row) { return row.run.streams; }},
      {{"budget_bytes", "budget", Format::bytes},
       on_device([](const Row& row) { return row.run.budget; })},
      {{"n", "n", Format::integer}, [](const Row& row) { return row.run.n; }},
      {{"chunk", ""}, [](const Row& row) { return row.run.chunk; }},
      {{"", "chunk", Format::bytes}, on_device([](const Row& row) { return row.run.chunk * 8; })},
      {{"samples", ""}, [](const Row& row) { return row.measured->samples; }},
      {{"seconds", "median", Format::seconds}, &Row::seconds},
      {{"low_seconds", ""}, [](const Row& row) { return row.measured->low_ms / 1e3; }},
      {{"high_seconds", ""}, [](const Row& row) { return row.measured->high_ms / 1e3; }},
      {{"", "range", Format::percent},
       [](const Row& row) {
         return (row.measured->high_ms - row.measured->low_ms) / row.measured->ms;
       }},
      {{"", "Gelements/s", Format::decimal},
       [](const Row& row) { return static_cast<double>(row.run.n) / row.seconds() / 1e9; }},
      {{"floor_seconds", ""}, &Row::floor},
      {{"", "of floor", Format::percent},
       on_device([](const Row& row) { return row.floor / row.seconds(); })},
      {{"predicted_seconds", "predicted", Format::seconds},
       [](const Row& row) { return row.predicted_ms ? Value(*row.predicted_ms / 1e3) : Value(); }},
      {{"error", "error", Format::signed_percent},
       [](const Row& row) { return report::value_or_null(row.error()); }},
      {{"host_one_seconds", ""},
       [](const Row& row) { return report::value_or_null(row.host_one); }},
      {{"host_all_seconds", ""},
       [](const Row& row) { return report::value_or_null(row.host_all); }},
      {{"", "x one core", Format::decimal}, over(&Row::host_one)},
      {{"", "x all cores", Format::decimal}, over(&Row::host_all)}};
  return all;
}

Section seed_section() {
  const auto number = [](const char* key, const char* title, double SeedPrediction::*value) {
    return Column<SeedTask>{{key, title, Format::decimal}, [value](const SeedTask& task) {
                              const auto prediction = predict(task);
                              return prediction ? Value((*prediction).*value) : Value();
                            }};
  };
  const std::vector<Column<SeedTask>> columns = {
      {{"task", "task"}, &SeedTask::task},
      {{"n", "n", Format::right}, &SeedTask::elements},
      {{"printed_low", ""}, &SeedTask::printed_low},
      {{"printed_high", ""}, &SeedTask::printed_high},
      {{"", "printed", Format::right},
       [](const SeedTask& task) {
         return fmt::format("{}-{}", task.printed_low, task.printed_high);
       }},
      number("bound", "by bandwidth", &SeedPrediction::bound),
      number("scheduled", "with chunks", &SeedPrediction::scheduled),
      number("by_read", "by reading", &SeedPrediction::by_read),
      number("by_link", "by table 2", &SeedPrediction::by_link),
      {{"remark", "remark"}, &SeedTask::remark}};
  Section section;
  section.heading =
      "The paper's machine: speed-up over one thread of its host, as printed and by the transfer "
      "model";
  section.tables = {report::table("seed", columns, seed_tasks())};
  return section;
}

/// Measured over predicted time, a mark per run.
agpusim::detail::Plot makespans(const std::vector<ExperimentRow>& rows) {
  std::map<std::string, agpusim::detail::PlotSeries> tasks;
  for (const ExperimentRow& row : rows) {
    if (!row.predicted_ms) continue;
    tasks[row.run.task].points.push_back(
        {*row.predicted_ms, row.measured->ms, row.measured->low_ms, row.measured->high_ms});
  }
  agpusim::detail::PlotPanel panel{"", "predicted (ms)", "measured (ms)", {}, true};
  for (auto& [task, series] : tasks) {
    series.label = task;
    series.color = static_cast<int>(panel.series.size());
    panel.series.push_back(std::move(series));
  }
  return {"makespan", "Measured over predicted makespan", 1, {std::move(panel)}};
}

Section runs_section(const Experiment& experiment) {
  const transfer::LinkSpec& link = experiment.link;
  std::vector<double> errors;  // as only runs on the device are predicted
  for (const ExperimentRow& row : experiment.rows) {
    if (row.error()) errors.push_back(std::abs(*row.error()));
  }
  const double mean_error = errors.empty() ? 0 : mean(errors);
  const double median_error = errors.empty() ? 0 : median(errors);
  const auto within_tenth =
      std::ranges::count_if(errors, [](double error) { return error <= 0.1; });
  Section section;
  section.heading =
      fmt::format("{}, {} host cores; link {:.1f} GB/s in, {:.1f} out, {:.1f} both",
                  experiment.environment.device, experiment.host_cores,
                  link.in.bytes_per_second / 1e9, link.out.bytes_per_second / 1e9, link.both / 1e9);
  section.sentences = {
      "floor: the bytes of the task over these; range: (largest - smallest) / median"};
  section.facts = {{{"environment", ""}, agpusim::detail::encode(experiment.environment)},
                   {{"host_cores", ""}, experiment.host_cores},
                   {{"link_in_bytes_per_second", ""}, link.in.bytes_per_second},
                   {{"link_out_bytes_per_second", ""}, link.out.bytes_per_second},
                   {{"link_both_bytes_per_second", ""}, link.both},
                   {{"link_latency_seconds", ""}, link.in.latency},
                   {{"mean_error", ""}, mean_error},
                   {{"median_error", ""}, median_error},
                   {{"within_10_percent", ""}, within_tenth},
                   {{"runs_on_device", ""}, errors.size()}};
  section.tables = {report::table("rows", run_columns(), experiment.rows)};
  section.tables.front().csv = true;
  section.remarks = {fmt::format(
      "predicted makespan: mean error {}, median {}, {} of {} runs within 10 %",
      percent_text(mean_error), percent_text(median_error), within_tenth, errors.size())};
  section.plots = {makespans(experiment.rows)};
  return section;
}

/// What the runs with timelines moved, beside what could be moved in their time.
Section traffic_section(const Experiment& experiment) {
  using Row = MeasuredTimeline;
  std::vector<Column<Row>> columns = {
      {{"task", "task"}, [](const Row& row) { return row.run.task; }},
      {{"scheme", ""}, [](const Row& row) { return row.run.scheme; }},
      {{"", "scheme"}, [](const Row& row) { return row.run.scheme_text(); }},
      {{"memory", ""}, [](const Row& row) { return transfer::to_string(row.run.memory); }},
      {{"budget_bytes", "budget", Format::bytes}, [](const Row& row) { return row.run.budget; }},
      {{"n", "n", Format::integer}, [](const Row& row) { return row.run.n; }}};
  const auto add = [&](const std::string& key, const std::string& title, double Traffic::*member,
                       double most) {
    columns.push_back({{key + "_bytes_per_second", ""},
                       [member](const Row& row) { return row.traffic_measured.*member; }});
    columns.push_back({{"", title + " GB/s", Format::one_digit},
                       [member](const Row& row) { return row.traffic_measured.*member / 1e9; }});
    columns.push_back({{key + "_share", "of it", Format::percent}, [member, most](const Row& row) {
                         return row.traffic_measured.*member / most;
                       }});
    columns.push_back(
        {{key + "_share_predicted", "predicted", Format::percent},
         [member, most](const Row& row) { return row.traffic_predicted.*member / most; }});
  };
  const transfer::LinkSpec& link = experiment.link;
  add("link_in", "in", &Traffic::in, link.in.bytes_per_second);
  add("link_out", "out", &Traffic::out, link.out.bytes_per_second);
  add("device_memory", "device", &Traffic::device, experiment.device_memory);
  add("host_memory", "host", &Traffic::host, link.host);
  Section section;
  section.heading = "Bandwidth over the whole of a run, and its share of what there is";
  section.sentences = {fmt::format(
      "of it: of {:.1f} GB/s in, {:.1f} out, {:.0f} of device memory, {:.0f} of host memory; what "
      "kernels move is as counted, caches or not, in both columns",
      link.in.bytes_per_second / 1e9, link.out.bytes_per_second / 1e9,
      experiment.device_memory / 1e9, link.host / 1e9)};
  section.tables = {report::table("traffic", columns, experiment.timelines)};
  return section;
}

Section timeline_section(const MeasuredTimeline& timeline) {
  constexpr std::int32_t columns = 80;
  constexpr std::int32_t pixels = 900;
  const Run& run = timeline.run;
  Section section;
  section.key = "timelines";
  section.list = true;
  section.heading =
      fmt::format("{} ({}), n = {}, budget {}: predicted, then measured", run.task,
                  run.scheme_text(), integer_text(run.n), agpusim::detail::bytes_text(run.budget));
  section.facts = {{{"task", ""}, run.task},
                   {{"scheme", ""}, run.scheme},
                   {{"n", ""}, run.n},
                   {{"budget_bytes", ""}, run.budget},
                   {{"predicted_seconds", ""}, timeline.predicted.makespan},
                   {{"measured_seconds", ""}, timeline.measured.makespan}};
  section.drawings = {{gantt_text(timeline.planned, timeline.predicted, columns),
                       gantt_svg(timeline.planned, timeline.predicted, pixels)},
                      {gantt_text(timeline.ran, timeline.measured, columns),
                       gantt_svg(timeline.ran, timeline.measured, pixels)}};
  return section;
}

}  // namespace

report::Report to_report(const Experiment& experiment) {
  report::Report report;
  report.title =
      "Miura, Chang and Miyazaki (seed 004) repeated: arrays larger than the device's memory";
  Section first;
  first.facts = {{{"experiment", ""}, "out-of-core"}, {{"generated", ""}, experiment.generated}};
  first.sentences = {"Every run beside the makespan that the transfer model predicts"};
  report.body.sections = {std::move(first), seed_section(), runs_section(experiment),
                          traffic_section(experiment)};
  for (const MeasuredTimeline& timeline : experiment.timelines) {
    report.body.sections.push_back(timeline_section(timeline));
  }
  return report;
}

}  // namespace agpusim::out_of_core
