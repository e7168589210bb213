#include <algorithm>

#include <fmt/format.h>

#include "agpusim/validation/experiments/statistics/detail/parts.hpp"
#include "agpusim/validation/experiments/statistics/writers.hpp"
#include "agpusim/validation/report/text_table.hpp"

namespace agpusim::statistics_experiment {
namespace {

using agpusim::detail::decimal_text;
using agpusim::detail::size_text;
using agpusim::detail::text_table;

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.0f} %", 100 * *share) : "-";
}

std::string number(const std::optional<double>& value) {
  return value ? decimal_text(*value) : "-";
}

std::string error(const PanelEntry& entry) {
  if (!entry.measured_us || !entry.predicted_us) return "-";
  return agpusim::detail::signed_percent_text(*entry.predicted_us / *entry.measured_us - 1);
}

std::string panel_text(const PanelResult& result) {
  std::vector<std::vector<std::string>> lines;
  for (const PanelRow& row : result.rows) {
    for (const PanelEntry& entry : row.entries) {
      const bool measured = entry.measured_us.has_value();
      lines.push_back({entry.contestant.label, size_text(row.n), number(entry.measured_us),
                       measured ? decimal_text(entry.measured_low_us) : "-",
                       measured ? decimal_text(entry.measured_high_us) : "-",
                       decimal_text(row.floor_us), percent(entry.floor_share),
                       entry.over_library ? fmt::format("{:.2f}", *entry.over_library) : "-",
                       number(entry.predicted_us), error(entry), entry.limit});
    }
  }
  return fmt::format("\n{} (us)\n{}", result.panel.title,
                     text_table({"program", "n", "median", "5 %", "95 %", "floor", "of floor",
                                 "/ CUB", "predicted", "error", "limit"},
                                lines, 1));
}

std::string comparison_text(const Experiment& experiment) {
  if (!experiment.comparison) {
    return fmt::format("\nThe programs on a GPU of today\n{}\n", experiment.why_no_comparison);
  }
  const Comparison& comparison = *experiment.comparison;
  std::string text =
      fmt::format("\nThe programs on {} (driver {}, CUDA {}, CCCL {}); {} runs are not measured\n",
                  comparison.environment.device, comparison.environment.driver,
                  comparison.environment.cuda, comparison.environment.cccl, comparison.unmeasured);
  if (comparison.foreign > 0) {
    text += fmt::format("{} records belong to no run of this experiment\n", comparison.foreign);
  }
  const PanelBandwidth& bandwidth = comparison.bandwidth;
  text += fmt::format(
      "floor: the elements, read once at {:.0f} GB/s ({}) or copied at {:.0f} GB/s (the device "
      "file); of floor: its share of the median\n",
      bandwidth.read, bandwidth.reader, bandwidth.copy);
  for (const PanelResult& result : comparison.panels) {
    if (!result.rows.empty()) text += panel_text(result);
  }
  return text;
}

std::string accuracy_text(const Experiment& experiment) {
  if (experiment.accuracy.empty()) return "";
  std::vector<std::vector<std::string>> lines;
  for (const statistics::VarianceError& row : experiment.accuracy) {
    lines.push_back({row.type, row.variant, agpusim::detail::integer_text(row.mean_over_sigma),
                     fmt::format("{:.9g}", row.exact), fmt::format("{:.9g}", row.variance),
                     fmt::format("{:.1e}", relative_error(row)),
                     row.variance < 0 ? "negative" : ""});
  }
  return fmt::format(
      "\nThe variance of {} normal numbers as their mean grows\n{}",
      agpusim::detail::integer_text(experiment.accuracy_n),
      text_table({"type", "variant", "mean / sigma", "exact", "computed", "relative error", ""},
                 lines, 2));
}

}  // namespace

std::string to_text(const Experiment& experiment) {
  return "Nishimura and Toyonaga (seed 003)\n\n" + detail::account_text(experiment.account) +
         comparison_text(experiment) + accuracy_text(experiment);
}

}  // namespace agpusim::statistics_experiment
