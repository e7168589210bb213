#include "agpusim/commands/sweep/plots.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

namespace agpusim::sweep {
namespace {

/// The exponent of x by which a line grows at its end, over its last two octaves.
double slope_at_end(const std::vector<agpusim::detail::PlotPoint>& line) {
  const auto& last = line.back();
  auto begin = line.end() - 2;
  while (begin != line.begin() && begin->x > last.x / 4 * 1.001) --begin;
  return std::log(last.y / begin->y) / std::log(last.x / begin->x);
}

/// The names of the lines of a plot: what differs between them, of program with type, and machine.
std::function<std::string(const Row&)> line_names(const Rows& points) {
  const auto program = [](const Row& row) {
    return row.run.program + (row.run.config.type.empty() ? "" : " ") + row.run.config.type;
  };
  const Row& first = *points.front();
  const bool programs = std::any_of(points.begin(), points.end(), [&](const Row* point) {
    return program(*point) != program(first);
  });
  const bool machines = std::any_of(points.begin(), points.end(), [&](const Row* point) {
    return point->run.machine() != first.run.machine();
  });
  return [=](const Row& row) {
    if (!programs) return row.run.machine();
    return program(row) + (machines ? ", " + row.run.machine() : "");
  };
}

/// A value of the points of each line against n.
agpusim::detail::PlotPanel panel_of(const Rows& points, const std::string& title,
                                    const std::function<double(const Row&)>& value) {
  const auto name = line_names(points);
  std::map<std::string, std::vector<agpusim::detail::PlotPoint>> lines;
  for (const Row* const point : points) {
    if (!point->refusal.empty() || point->n() <= 0 || value(*point) <= 0) continue;
    lines[name(*point)].push_back({static_cast<double>(point->n()), value(*point)});
  }
  agpusim::detail::PlotPanel panel{title, "n", title, {}};
  for (auto& [of, line] : lines) {
    std::string label = of;
    if (line.size() > 1) label += fmt::format(", n^{:.2f} at its end", slope_at_end(line));
    panel.series.push_back(
        {std::move(label), static_cast<int>(panel.series.size()), "", false, {}, std::move(line)});
  }
  return panel;
}

}  // namespace

std::vector<std::string> quantities_of(const Rows& points) {
  std::vector<std::string> quantities;
  for (const Row* const point : points) {
    for (const Quantity& q : point->quantities) {
      if (std::find(quantities.begin(), quantities.end(), q.name) == quantities.end()) {
        quantities.push_back(q.name);
      }
    }
  }
  return quantities;
}

agpusim::detail::Plot plot_of(const Rows& points) {
  const Row& first = *points.front();
  std::string name =
      fmt::format("{}-{}-{}", first.run.program, first.run.config.type, first.run.config.input);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '-');
  agpusim::detail::Plot plot{name, "Against n", 3, {}};
  for (const std::string& quantity : quantities_of(points)) {
    const bool counted = std::any_of(points.begin(), points.end(), [&](const Row* p) {
      const Quantity* const q = p->find(quantity);
      return q != nullptr && q->count > 0;
    });
    if (!counted) continue;
    plot.panels.push_back(panel_of(points, quantity, [&](const Row& point) {
      const Quantity* const q = point.find(quantity);
      return q == nullptr ? 0.0 : static_cast<double>(q->count);
    }));
  }
  plot.panels.push_back(panel_of(points, "predicted ms", [](const Row& point) {
    return point.predicted ? point.predicted->milliseconds : 0.0;
  }));
  std::erase_if(plot.panels, [](const auto& panel) { return panel.series.empty(); });
  return plot;
}

std::vector<agpusim::detail::Plot> common_plot(const std::vector<Row>& rows) {
  constexpr std::size_t most_lines = 8;
  Rows points;
  for (const Row& row : rows) points.push_back(&row);
  if (points.empty()) return {};
  const auto name = line_names(points);
  std::set<std::string> lines;
  for (const Row* const point : points) lines.insert(name(*point));
  if (lines.size() > most_lines) return {};
  return {plot_of(points)};
}

}  // namespace agpusim::sweep
