#pragma once

#include <string>
#include <utility>
#include <vector>

namespace agpusim::sweep {

/// A line of a plot: positive (x, y), x ascending.
struct Series {
  std::string label;
  std::vector<std::pair<double, double>> points;
  bool dashed = false;  ///< a bound or a law, drawn without marks
};

/// Self-contained SVG with both axes logarithmic (ticks at powers of two of x, powers of ten of y),
/// a mark and colour for each series, and the slope of its last two octaves at its end.
[[nodiscard]] std::string loglog_svg(const std::string& title, const std::string& x_title,
                                     const std::vector<Series>& series);

/// The exponent of x by which a series grows at its end, over its last two octaves; 0 for one
/// point.
[[nodiscard]] double slope_at_end(const Series& series);

/// Text that can stand in XML.
[[nodiscard]] std::string xml_text(const std::string& text);

}  // namespace agpusim::sweep
