#include "agpusim/commands/why/explain.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/source_text.hpp"

namespace agpusim::why {
namespace {

std::vector<Kernel> kernels_of(const std::vector<PhaseReport>& phases, const PartsModel& model) {
  std::map<std::string, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < phases.size(); ++i) by_name[phases[i].kernel].push_back(i);
  std::vector<Kernel> kernels;
  for (const auto& [name, places] : by_name) {
    Kernel kernel{name, static_cast<std::int64_t>(places.size())};
    std::vector<PhaseTerms> of_kernel;
    for (const std::size_t i : places) {
      of_kernel.push_back(model.phases()[i]);
      if (phases[i].tasks <= kernel.tasks) continue;
      kernel.tasks = phases[i].tasks;
      kernel.resident = model.phases()[i].tasks;
    }
    const Prediction prediction = model.of(of_kernel);
    kernel.ms = prediction.milliseconds;
    kernel.limit = prediction.limit;
    kernels.push_back(std::move(kernel));
  }
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const Kernel& a, const Kernel& b) { return a.ms > b.ms; });
  return kernels;
}

/// Names the lines behind the largest resource that has any.
void add_lines(Explanation& explanation, const RunReport& by_line, const PartsModel& model) {
  constexpr std::size_t most = 5;
  SourceText sources;
  for (const Resource& resource : explanation.resources) {
    double all = 0;
    for (const LineCost& line : by_line.lines) all += count_behind(resource.name, line.counts);
    if (all == 0) continue;
    explanation.of_lines = resource.name;
    for (const LineCost& line : by_line.lines) {
      const double share = count_behind(resource.name, line.counts) / all;
      if (share < 0.01) continue;
      explanation.lines.push_back({line.kernel, place_text(line.file, line.line),
                                   sources.line(line.file, line.line), share,
                                   model.with(resource.name, 1 - share).milliseconds});
    }
    break;
  }
  std::stable_sort(explanation.lines.begin(), explanation.lines.end(),
                   [](const Line& a, const Line& b) { return a.share > b.share; });
  explanation.lines.resize(std::min(explanation.lines.size(), most));
}

}  // namespace

Explanation explain(Row row, const RunReport& by_line) {
  row.require_counted();
  if (!row.predicted) {
    throw UsageError(fmt::format("no time is predicted of {}: {}", row.run.config.algorithm,
                                 row.why_not_predicted));
  }
  const std::vector<PhaseReport>& phases =
      row.compiled.empty() ? row.counted->report.phases : row.compiled;
  const PartsModel model(row.run.config.spec, phases, *row.run.device);
  Explanation result;
  result.resources = model.resources(row.measured ? std::optional(row.measured->ms) : std::nullopt);
  result.kernels = kernels_of(phases, model);
  add_lines(result, by_line, model);
  result.row = std::move(row);
  return result;
}

}  // namespace agpusim::why
