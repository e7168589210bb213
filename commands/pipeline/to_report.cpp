#include "agpusim/commands/pipeline/to_report.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "agpusim/commands/pipeline/gantt.hpp"
#include "agpusim/commands/pipeline/tasks.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/io/units.hpp"
#include "agpusim/validation/records/run_json.hpp"

namespace agpusim::out_of_core {
namespace {

using agpusim::detail::bytes_text;
using agpusim::detail::decimal_text;
using agpusim::detail::integer_text;
using agpusim::detail::seconds_text;
using report::Column;
using report::Format;
using report::Section;
using report::Value;
using transfer::Engine;

std::string gbps(double bytes_per_second) { return decimal_text(bytes_per_second * 1e-9); }

std::string link_text(const transfer::LinkSpec& link) {
  std::string text = fmt::format("link: {} GB/s in, {} GB/s out", gbps(link.in.bytes_per_second),
                                 gbps(link.out.bytes_per_second));
  if (link.both > 0) text += fmt::format(", {} GB/s both", gbps(link.both));
  if (link.host > 0) text += fmt::format("; host memory {} GB/s", gbps(link.host));
  return text + fmt::format("; latency {}; {} copy engine{}", seconds_text(link.in.latency),
                            link.copy_engines, link.copy_engines == 1 ? "" : "s");
}

Value encode(const transfer::LinkSpec& link) {
  return {{"in_bytes_per_second", link.in.bytes_per_second},
          {"in_latency_seconds", link.in.latency},
          {"out_bytes_per_second", link.out.bytes_per_second},
          {"out_latency_seconds", link.out.latency},
          {"both_bytes_per_second", link.both},
          {"host_bytes_per_second", link.host},
          {"copy_engines", link.copy_engines}};
}

/// What was asked for.
Section request_section(const Plan& plan) {
  const Task& task = find_task(plan.task);
  const AgpuSpec& spec = plan.spec;
  Section section;
  section.sentences = {fmt::format("AGPU(p={}, b={}, M={}, w={}), V={}; {} of device memory",
                                   spec.cores, spec.block_words, spec.shared_words, spec.word_bits,
                                   spec.width, bytes_text(plan.budget_bytes)),
                       link_text(plan.link)};
  section.facts = {{{"task", ""}, plan.task},
                   {{"primitive", ""}, task.primitive},
                   {{"type", ""}, task.type},
                   {{"scheme", ""}, plan.scheme},
                   {{"exclusive", ""}, plan.exclusive},
                   {{"n", ""}, plan.chunks.n},
                   {{"machine", ""}, agpusim::detail::encode(spec)},
                   {{"link", ""}, encode(plan.link)},
                   {{"budget_bytes", ""}, plan.budget_bytes}};
  return section;
}

/// How long it takes and what it needs.
Section result_section(const Plan& plan) {
  const double seconds = plan.schedule.makespan;
  const std::int64_t copied =
      plan.pipeline.bytes(Engine::copy_in) + plan.pipeline.bytes(Engine::copy_out);
  const Task& task = find_task(plan.task);
  const std::int64_t once = task.bytes_in(plan.chunks.n) + task.bytes_out(plan.chunks.n);
  const auto possible = std::count_if(plan.trials.begin(), plan.trials.end(),
                                      [](const Trial& trial) { return trial.seconds.has_value(); });
  const bool takes = seconds > 0;
  Section section;
  section.facts = {
      {{"seconds", "time", Format::seconds},
       seconds,
       takes ? gbps(static_cast<double>(copied) / seconds) + " GB/s over the link" : "",
       {},
       "time"},
      {{"bound_seconds", "lower bound", Format::seconds},
       plan.bound.seconds,
       plan.bound.resource +
           (takes ? fmt::format("; {:.1f} % of the time", 100 * plan.bound.seconds / seconds) : ""),
       {},
       "lower bound"},
      {{"bound_resource", ""}, plan.bound.resource},
      {{"copied_bytes", "copied", Format::bytes},
       copied,
       fmt::format("over the link; input and output are {}", bytes_text(once)),
       {},
       "copied"},
      {{"input_output_bytes", ""}, once},
      {{"chunk", "chunk", Format::size},
       plan.chunks.size,
       plan.trials.empty()
           ? "elements"
           : fmt::format("elements; of {} possible sizes the one with the least time", possible),
       {},
       "chunk"},
      {{"chunks", "chunks", Format::integer},
       plan.chunks.count(),
       fmt::format("on {} stream{}", plan.chunks.streams, plan.chunks.streams == 1 ? "" : "s")},
      {{"streams", ""}, plan.chunks.streams},
      {{"device_bytes", "device memory", Format::bytes},
       plan.device_bytes,
       "taken",
       {},
       "device memory"},
      {{"", "operations", Format::integer}, plan.pipeline.size(), "copies, kernels and host steps"},
      {{"counts", ""}, plan.correct ? "simulated" : "derived"},
      {{"correct", ""}, report::value_or_null(plan.correct)}};
  if (plan.correct) {
    section.facts.push_back({{"", "result", Format::right},
                             *plan.correct ? "equals" : "DIFFERS FROM",
                             "that of a plain loop"});
  }
  return section;
}

Section engines_section(const Plan& plan) {
  const auto operations = [&](const Engine& engine) {
    const auto& all = plan.pipeline.operations();
    return std::count_if(all.begin(), all.end(), [&](const transfer::Operation& operation) {
      return operation.engine == engine;
    });
  };
  const std::vector<Column<Engine>> columns = {
      {{"engine", "engine"}, [](const Engine& engine) { return to_string(engine); }},
      {{"operations", "operations", Format::integer}, operations},
      {{"bytes", "bytes", Format::bytes},
       [&](const Engine& engine) { return plan.pipeline.bytes(engine); }},
      {{"busy_seconds", "busy", Format::seconds},
       [&](const Engine& engine) { return plan.schedule.busy_of(engine); }},
      {{"utilisation", "of the time", Format::percent},
       [&](const Engine& engine) { return plan.schedule.utilisation(engine); }}};
  Section section;
  section.tables = {report::table("engines", columns, transfer::engines)};
  return section;
}

Section steps_section(const Plan& plan) {
  const auto whole = [](const char* key, const char* title, std::int64_t StepTotal::*member) {
    return Column<StepTotal>{{key, title, Format::integer},
                             [member](const StepTotal& step) { return step.*member; }};
  };
  const std::vector<Column<StepTotal>> columns = {
      {{"step", "step"}, [](const StepTotal& step) { return step.step; }},
      whole("runs", "runs", &StepTotal::runs),
      whole("elements", "elements", &StepTotal::elements),
      whole("launches", "launches", &StepTotal::launches),
      whole("T", "T", &StepTotal::time),
      whole("Q", "Q", &StepTotal::io),
      whole("instructions", "instructions", &StepTotal::instructions),
      {{"seconds", "time", Format::seconds}, [](const StepTotal& step) { return step.seconds; }}};
  Section section;
  if (!plan.steps.empty()) {
    section.heading = fmt::format("Steps on the device, counted by {}",
                                  plan.correct ? "the simulation" : "derived counts");
  }
  section.tables = {report::table("steps", columns, plan.steps)};
  section.tables.front().csv = true;
  return section;
}

report::Table trials_table(const Plan& plan) {
  const std::vector<Column<Trial>> columns = {
      {{"chunk", ""}, [](const Trial& trial) { return trial.chunk; }},
      {{"seconds", ""}, [](const Trial& trial) { return report::value_or_null(trial.seconds); }},
      {{"refusal", ""},
       [](const Trial& trial) { return trial.refusal.empty() ? Value() : Value(trial.refusal); }}};
  return report::table("trials", columns, plan.trials);
}

report::Table operations_table(const Plan& plan) {
  using transfer::OperationId;
  std::vector<OperationId> all;
  for (OperationId id = 0; id < plan.pipeline.size(); ++id) all.push_back(id);
  const auto when = [&](OperationId id) {
    return plan.schedule.intervals[static_cast<std::size_t>(id)];
  };
  const std::vector<Column<OperationId>> columns = {
      {{"engine", ""}, [&](OperationId id) { return to_string(plan.pipeline[id].engine); }},
      {{"stream", ""}, [&](OperationId id) { return plan.pipeline[id].stream; }},
      {{"name", ""}, [&](OperationId id) { return plan.pipeline[id].name; }},
      {{"chunk", ""},
       [&](OperationId id) {
         return plan.pipeline[id].chunk < 0 ? Value() : Value(plan.pipeline[id].chunk);
       }},
      {{"bytes", ""}, [&](OperationId id) { return plan.pipeline[id].bytes; }},
      {{"begin_seconds", ""}, [&](OperationId id) { return when(id).begin; }},
      {{"end_seconds", ""}, [&](OperationId id) { return when(id).end; }},
      {{"after", ""}, [&](OperationId id) { return plan.pipeline.before(id); }}};
  return report::table("operations", columns, all);
}

/// Predicted time for each size of the chunks.
agpusim::detail::Plot trials_plot(const Plan& plan) {
  constexpr double milliseconds = 1e3;
  agpusim::detail::PlotSeries series{"predicted"};
  for (const Trial& trial : plan.trials) {
    if (!trial.seconds) continue;
    series.line.push_back({static_cast<double>(trial.chunk), *trial.seconds * milliseconds});
  }
  return {"chunks",
          "Size of the chunks",
          1,
          {{"Time", "chunk (elements)", "time (ms)", {std::move(series)}}}};
}

}  // namespace

report::Report to_report(const Plan& plan) {
  constexpr std::int32_t chart_columns = 80;
  constexpr std::int32_t chart_width = 1160;
  const Task& task = find_task(plan.task);
  report::Report report;
  report.title = fmt::format(
      "{}{}, scheme {}, n = {}, {}: {}", task.name, plan.exclusive ? ", exclusive" : "",
      plan.scheme, integer_text(plan.chunks.n), task.type, find_scheme(task, plan.scheme).help);
  report.body.sections = {request_section(plan), result_section(plan), engines_section(plan),
                          steps_section(plan)};
  Section& trials = report.body.sections.emplace_back();
  trials.tables = {trials_table(plan)};
  if (plan.trials.size() > 1) trials.plots = {trials_plot(plan)};
  const Engine busiest = *std::max_element(
      transfer::engines.begin(), transfer::engines.end(), [&](const Engine& a, const Engine& b) {
        return plan.schedule.utilisation(a) < plan.schedule.utilisation(b);
      });
  report.answer.sentence = fmt::format(
      "It takes {}, at least {}; the engine {} works for {} of it.",
      seconds_text(plan.schedule.makespan), seconds_text(plan.bound.seconds), to_string(busiest),
      report::to_text(plan.schedule.utilisation(busiest), Format::percent));
  Section chart;
  chart.heading = "Engines over time (digits and letters: stream; 0 the host)";
  chart.drawings = {{gantt_text(plan.pipeline, plan.schedule, chart_columns),
                     gantt_svg(plan.pipeline, plan.schedule, chart_width)}};
  chart.facts = {{{"critical_path", ""}, plan.schedule.critical_path}};
  chart.tables = {operations_table(plan)};
  report.body.sections.push_back(std::move(chart));
  return report;
}

}  // namespace agpusim::out_of_core
