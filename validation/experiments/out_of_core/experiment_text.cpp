#include <fmt/format.h>

#include "agpusim/validation/experiments/out_of_core/experiment.hpp"
#include "agpusim/validation/pipeline/gantt.hpp"
#include "agpusim/validation/pipeline/units.hpp"
#include "agpusim/validation/report/text_table.hpp"

namespace agpusim::out_of_core {
namespace {

using agpusim::detail::decimal_text;
using agpusim::detail::integer_text;
using agpusim::detail::percent_text;
using agpusim::detail::signed_percent_text;
using agpusim::detail::text_table;

constexpr double giga = 1e9;
constexpr std::int32_t chart_columns = 80;

std::string over(const std::optional<double>& other, double seconds) {
  return other ? decimal_text(*other / seconds) : "-";
}

std::string runs_text(const MiuraExperiment& experiment) {
  std::vector<std::vector<std::string>> cells;
  for (const ExperimentRow& row : experiment.rows) {
    const Run& run = row.run;
    cells.push_back(
        {run.task, run.scheme_text(), run.on_host() ? "-" : detail::bytes_text(run.budget),
         integer_text(run.n), run.on_host() ? "-" : detail::bytes_text(run.chunk * 8),
         detail::seconds_text(row.seconds), percent_text((row.high - row.low) / row.seconds),
         decimal_text(row.elements_per_second() / giga),
         run.on_host() ? "-" : percent_text(row.floor / row.seconds),
         row.predicted ? detail::seconds_text(*row.predicted) : "-",
         row.error() ? signed_percent_text(*row.error()) : "-", over(row.host_one, row.seconds),
         over(row.host_all, row.seconds)});
  }
  return text_table({"task", "scheme", "budget", "n", "chunk", "median", "range", "Gelements/s",
                     "of floor", "predicted", "error", "x one core", "x all cores"},
                    cells, 2);
}

std::string seed_text(const MiuraExperiment& experiment) {
  std::vector<std::vector<std::string>> cells;
  for (const SeedRow& row : experiment.seed) {
    const auto number = [&](double SeedPrediction::*value) {
      return row.prediction ? decimal_text((*row.prediction).*value) : std::string("-");
    };
    cells.push_back({row.task.task, row.task.elements,
                     fmt::format("{}-{}", row.task.printed_low, row.task.printed_high),
                     number(&SeedPrediction::bound), number(&SeedPrediction::scheduled),
                     number(&SeedPrediction::by_read), row.task.remark});
  }
  return text_table({"task", "n", "printed", "by bandwidth", "with chunks", "by reading", "remark"},
                    cells, 1);
}

}  // namespace

std::string to_text(const MiuraExperiment& experiment) {
  const transfer::LinkSpec& link = experiment.link;
  std::string text = fmt::format(
      "Miura, Chang and Miyazaki (seed 004) repeated: arrays larger than the device's memory\n\n"
      "The paper's machine: speed-up over one thread of its host, as printed and by the transfer "
      "model\n{}\n"
      "{}, {} host cores; link {:.1f} GB/s in, {:.1f} out, {:.1f} both\n"
      "floor: the bytes of the task over these; range: (largest - smallest) / median\n{}\n",
      seed_text(experiment), experiment.environment.device, experiment.host_cores,
      link.in.bytes_per_second / giga, link.out.bytes_per_second / giga, link.both / giga,
      runs_text(experiment));
  text += fmt::format("predicted makespan: mean error {}, median {}, {} of {} runs within 10 %\n",
                      percent_text(experiment.mean_error), percent_text(experiment.median_error),
                      experiment.within_tenth, experiment.on_device);
  for (const MeasuredTimeline& timeline : experiment.timelines) {
    const Run& run = timeline.run;
    text += fmt::format("\n{} ({}), n = {}, budget {}: predicted\n{}measured\n{}", run.task,
                        run.scheme_text(), integer_text(run.n), detail::bytes_text(run.budget),
                        gantt_text(timeline.planned, timeline.predicted, chart_columns),
                        gantt_text(timeline.ran, timeline.measured, chart_columns));
  }
  return text;
}

}  // namespace agpusim::out_of_core
