#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "agpusim/validation/pipeline/gantt.hpp"
#include "agpusim/validation/pipeline/tasks.hpp"
#include "agpusim/validation/pipeline/units.hpp"
#include "agpusim/validation/pipeline/writers.hpp"
#include "agpusim/validation/report/text_table.hpp"

namespace agpusim::out_of_core {
namespace {

using agpusim::detail::decimal_text;
using agpusim::detail::integer_text;
using agpusim::detail::size_text;
using agpusim::detail::text_table;
using detail::bytes_text;
using detail::seconds_text;
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

std::string heading(const Plan& plan) {
  const Task& task = find_task(plan.task);
  const AgpuSpec& spec = plan.spec;
  return fmt::format(
      "{}, scheme {}, n = {}, {}: {}\nAGPU(p={}, b={}, M={}, w={}), V={}; {} of device "
      "memory\n{}\n",
      task.name, plan.scheme, integer_text(plan.chunks.n), task.type,
      find_scheme(task, plan.scheme).help, spec.cores, spec.block_words, spec.shared_words,
      spec.word_bits, spec.width, bytes_text(plan.budget_bytes), link_text(plan.link));
}

std::string fact(const std::string& name, const std::string& value, const std::string& meaning) {
  return fmt::format("  {:<14} {:>12}  {}\n", name, value, meaning);
}

std::int64_t possible_sizes(const Plan& plan) {
  return std::count_if(plan.trials.begin(), plan.trials.end(),
                       [](const Trial& trial) { return trial.seconds.has_value(); });
}

std::string facts(const Plan& plan) {
  const double seconds = plan.schedule.makespan;
  const std::int64_t copied =
      plan.pipeline.bytes(Engine::copy_in) + plan.pipeline.bytes(Engine::copy_out);
  std::string text =
      fact("time", seconds_text(seconds),
           seconds > 0 ? fmt::format("{} GB/s over the link",
                                     decimal_text(static_cast<double>(copied) / seconds * 1e-9))
                       : "");
  text += fact("lower bound", seconds_text(plan.bound.seconds),
               plan.bound.resource + (seconds > 0 ? fmt::format("; {:.1f} % of the time",
                                                                100 * plan.bound.seconds / seconds)
                                                  : ""));
  text += fact("copied", bytes_text(copied), "over the link");
  text += fact("chunk", size_text(plan.chunks.size),
               plan.trials.empty()
                   ? "elements"
                   : fmt::format("elements; of {} possible sizes the one with the least time",
                                 possible_sizes(plan)));
  text +=
      fact("chunks", integer_text(plan.chunks.count()),
           fmt::format("on {} stream{}", plan.chunks.streams, plan.chunks.streams == 1 ? "" : "s"));
  text += fact("device memory", bytes_text(plan.device_bytes), "taken");
  text += fact("operations", integer_text(plan.pipeline.size()), "copies, kernels and host steps");
  return text;
}

std::string engines_text(const Plan& plan) {
  std::vector<std::vector<std::string>> rows;
  for (const Engine engine : transfer::engines) {
    std::int64_t operations = 0;
    for (const transfer::Operation& operation : plan.pipeline.operations()) {
      operations += operation.engine == engine ? 1 : 0;
    }
    if (operations == 0) continue;
    rows.push_back({to_string(engine), integer_text(operations),
                    bytes_text(plan.pipeline.bytes(engine)),
                    seconds_text(plan.schedule.busy_of(engine)),
                    fmt::format("{:.1f} %", 100 * plan.schedule.utilisation(engine))});
  }
  if (rows.empty()) return "";
  return "\n" + text_table({"engine", "operations", "bytes", "busy", "of the time"}, rows, 1);
}

std::string steps_text(const Plan& plan) {
  std::vector<std::vector<std::string>> rows;
  for (const StepTotal& step : plan.steps) {
    rows.push_back({step.step, integer_text(step.runs), integer_text(step.elements),
                    integer_text(step.launches), integer_text(step.time), integer_text(step.io),
                    integer_text(step.instructions), seconds_text(step.seconds)});
  }
  if (rows.empty()) return "";
  return fmt::format("\nSteps on the device, counted by {}\n",
                     plan.correct ? "the simulation" : "derived counts") +
         text_table({"step", "runs", "elements", "launches", "T", "Q", "instructions", "time"},
                    rows, 1);
}

}  // namespace

std::string to_text(const Plan& plan, std::int32_t columns) {
  std::string text = heading(plan) + "\n" + facts(plan);
  if (plan.correct) {
    text += fact("result", *plan.correct ? "equals" : "DIFFERS FROM", "that of a plain loop");
  }
  text += engines_text(plan) + steps_text(plan);
  return text + "\nEngines over time (digits and letters: stream; 0 the host)\n" +
         gantt_text(plan.pipeline, plan.schedule, columns);
}

}  // namespace agpusim::out_of_core
