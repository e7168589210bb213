#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agpusim/validation/io/json.hpp"

/// Plots as web/js/panels.js draws them on a page and web/plots.mjs into files.
namespace agpusim::detail {

struct PlotPoint {
  double x = 0;
  double y = 0;
  double low = 0;   ///< lower end of the spread of y; 0: none
  double high = 0;  ///< upper end of the spread of y; 0: none
};

/// Marks with their spread, and a line: what was measured and what was predicted.
struct PlotSeries {
  std::string label;
  int color = 0;           ///< index into the palette
  std::string shape = {};  ///< shape of the marks (web/js/plot.js); empty: that of the colour
  bool dash = false;       ///< whether the line is dashed
  std::vector<PlotPoint> points = {};
  std::vector<PlotPoint> line = {};
};

/// Series on logarithmic axes; or bars.
struct PlotPanel {
  std::string title;
  std::string x;  ///< title of the axis
  std::string y;  ///< title of the axis
  std::vector<PlotSeries> series;
  bool diagonal = false;  ///< with a line where x = y
  bool bars = false;      ///< the points stand on the axis x = 0, 1, ... and on each other
  bool linear = false;    ///< the axis of y is linear, from 0
};

struct Plot {
  std::string name;  ///< name of its file
  std::string title;
  int columns = 1;  ///< panels in a row of the file
  std::vector<PlotPanel> panels;
};

/// More have no room on a page.
inline constexpr std::size_t most_bars = 1024;

/// What a row's bar consists of.
template <class Row>
using BarParts = std::vector<std::pair<const char*, std::function<std::int64_t(const Row&)>>>;

/// A bar for each row, numbered from `first`.
template <class Row>
[[nodiscard]] PlotPanel bars(const char* title, const char* x, const char* y, int first,
                             std::span<const Row> rows, const BarParts<Row>& parts) {
  PlotPanel panel{title, x, y, {}, false, true};
  for (const auto& [label, value] : parts) {
    PlotSeries series{label, static_cast<int>(panel.series.size())};
    double at = first;
    for (const Row& row : rows) series.points.push_back({at++, static_cast<double>(value(row))});
    panel.series.push_back(std::move(series));
  }
  return panel;
}

[[nodiscard]] Json encode(const std::vector<Plot>& plots);

/// The text of a page's data: an experiment and its plots.
[[nodiscard]] std::string page_data(const Json& experiment, const std::vector<Plot>& plots);

}  // namespace agpusim::detail
