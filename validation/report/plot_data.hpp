#pragma once

#include <string>
#include <vector>

#include "agpusim/validation/io/json.hpp"

/// Plots as web/js/panels.js draws them on a page and web/plots.mjs into files.
namespace agpusim::detail {

struct PlotPoint {
  double x = 0;
  double y = 0;
  double low = 0;   ///< of the spread of y; 0: none
  double high = 0;  ///< likewise
};

/// Marks with their spread, and a line: what was measured and what was predicted.
struct PlotSeries {
  std::string label;
  int color = 0;      ///< index into the palette
  std::string shape;  ///< of the marks, as web/js/plot.js names them; empty: that of the colour
  bool dash = false;  ///< of the line
  std::vector<PlotPoint> points = {};
  std::vector<PlotPoint> line = {};
};

/// Series on logarithmic axes.
struct PlotPanel {
  std::string title;
  std::string x;  ///< title of the axis
  std::string y;  ///< likewise
  std::vector<PlotSeries> series;
  bool diagonal = false;  ///< with a line where x = y
};

struct Plot {
  std::string name;  ///< of its file
  std::string title;
  int columns = 1;  ///< panels in a row of the file
  std::vector<PlotPanel> panels;
};

[[nodiscard]] Json encode(const std::vector<Plot>& plots);

/// The text of a page's data: an experiment and its plots.
[[nodiscard]] std::string page_data(const Json& experiment, const std::vector<Plot>& plots);

}  // namespace agpusim::detail
