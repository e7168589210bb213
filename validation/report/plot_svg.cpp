#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "agpusim/validation/report/for_print.hpp"
#include "agpusim/validation/report/html_page.hpp"

namespace agpusim::report {
namespace {

constexpr double panel_width = 440;
constexpr double frame_height = 240;
constexpr double left = 70;  // edges of the frame of a panel
constexpr double right = 430;
constexpr double below_frame = 46;  // for the numbers and the name of the axis of x
constexpr double line_height = 18;  // height of the title and of each name in the legend

/// A colour of Okabe and Ito's palette, as on pages, and a mark around a point.
constexpr std::pair<const char*, const char*> styles[] = {
    {"#0072b2", "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z"},
    {"#d55e00", "m-2.7-2.7h5.4v5.4h-5.4z"},
    {"#009e73", "m0-3.9l3.6 6.6h-7.2z"},
    {"#cc79a7", "m0-4.2l3.6 4.2l-3.6 4.2l-3.6-4.2z"},
    {"#e69f00", "m-1-4h2v3h3v2h-3v3h-2v-3h-3v-2h3z"},
    {"#56b4e9", "m0 3.9l3.6-6.6h-7.2z"},
    {"#5b5b5b", "m-4-1.5h8v3h-8z"},
    {"#8a6d00", "m-2-4h4v8h-4z"}};

std::string axis_text(double value) {
  if (value >= 1e-3 && value < 1e4) return fmt::format("{:g}", value);
  const double exponent = std::floor(std::log10(value) + 1e-9);
  return fmt::format("{:.3g}e{:g}", value / std::pow(10, exponent), exponent);
}

/// A logarithmic axis with some room beyond the values.
struct Axis {
  Axis(const std::vector<double>& values, double from, double to) : start(from), end(to) {
    constexpr double room = 1.25;
    constexpr int most_ticks = 9;
    low = *std::min_element(values.begin(), values.end()) / room;
    high = *std::max_element(values.begin(), values.end()) * room;
    const bool powers = std::all_of(values.begin(), values.end(), [](double value) {
      return std::exp2(std::round(std::log2(value))) == value;
    });
    const double base = powers ? 2 : 10;
    const auto first = static_cast<int>(std::floor(std::log(low) / std::log(base)));
    const auto last = static_cast<int>(std::floor(std::log(high) / std::log(base)));
    for (int k = first; k <= last; k += 1 + (last - first) / most_ticks) {
      const double power = std::pow(base, k);
      tick(power, powers && k > 3 ? fmt::format("2^{}", k) : axis_text(power));
      for (int digit = 2; digit < base && last - first < 3; ++digit) {
        const bool few = high < base * low || digit == 2 || digit == 5;
        if (few) tick(digit * power, axis_text(digit * power));
      }
    }
  }

  void tick(double value, const std::string& text) {
    if (value >= low && value <= high) ticks[value] = text;
  }
  [[nodiscard]] double at(double value) const {
    return start + std::log(value / low) / std::log(high / low) * (end - start);
  }

  double low;
  double high;
  double start;  ///< pixel of low
  double end;    ///< pixel of high
  std::map<double, std::string> ticks;
};

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     detail::escaped(text));
}

std::string mark_at(double x, double y, int style) {
  const auto& [color, mark] = styles[static_cast<std::size_t>(style) % std::size(styles)];
  return fmt::format("<path d=\"M{:.1f} {:.1f}{}\" fill=\"{}\"/>\n", x, y, mark, color);
}

struct Picture {
  std::string svg;
  double height = 0;
};

/// A panel whose left upper corner is at (0, 0).
Picture draw(const detail::PlotPanel& panel) {
  std::vector<double> all_x;
  std::vector<double> all_y;
  for (const detail::PlotSeries& series : panel.series) {
    for (const auto* points : {&series.points, &series.line}) {
      for (const detail::PlotPoint& point : *points) {
        all_x.push_back(point.x);
        all_y.push_back(point.y);
      }
    }
  }
  const double top = line_height * (1.5 + static_cast<double>(panel.series.size()));
  const double bottom = top + frame_height;
  const Axis x(all_x, left, right);
  const Axis y(all_y, bottom, top);
  const double middle = (left + right) / 2;
  std::string svg = text_at(middle, 14, "middle", panel.title);
  constexpr const char* grid = "<path d=\"M{:.1f} {:.1f}{}{:.1f}\" stroke=\"#d5d9de\"/>\n";
  for (const auto& [value, label] : x.ticks) {
    svg += fmt::format(grid, x.at(value), top, "V", bottom);
    svg += text_at(x.at(value), bottom + 17, "middle", label);
  }
  for (const auto& [value, label] : y.ticks) {
    svg += fmt::format(grid, left, y.at(value), "H", right);
    svg += text_at(left - 6, y.at(value) + 4, "end", label);
  }
  svg += text_at(middle, bottom + 36, "middle", panel.x);
  svg += fmt::format("<g transform=\"translate(14 {:.1f}) rotate(-90)\">{}</g>\n",
                     (top + bottom) / 2, text_at(0, 0, "middle", panel.y));
  double legend = line_height;
  for (const detail::PlotSeries& series : panel.series) {
    legend += line_height;
    svg += mark_at(left + 4, legend - 4, series.color);
    svg += text_at(left + 14, legend, "start", series.label);
    std::string path;
    for (const detail::PlotPoint& point : series.line) {
      path +=
          fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x.at(point.x), y.at(point.y));
    }
    if (!path.empty()) {
      svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\"/>\n", path,
                         styles[static_cast<std::size_t>(series.color) % std::size(styles)].first);
    }
    for (const detail::PlotPoint& point : series.points.empty() ? series.line : series.points) {
      svg += mark_at(x.at(point.x), y.at(point.y), series.color);
    }
  }
  return {svg, bottom + below_frame};
}

/// Whether all its axes are logarithmic, and something is on them.
bool can_draw(const detail::PlotPanel& panel) {
  return !panel.bars && !panel.linear &&
         std::ranges::any_of(panel.series, [](const detail::PlotSeries& series) {
           return !series.points.empty() || !series.line.empty();
         });
}

}  // namespace

std::string to_svg(const std::vector<detail::Plot>& plots) {
  std::string body;
  double width = 0;
  double top = 0;
  for (const detail::Plot& plot : plots) {
    double height = 0;
    int column = 0;
    for (const detail::PlotPanel& panel : plot.panels) {
      if (!can_draw(panel)) continue;
      if (column == plot.columns) {
        top += std::exchange(height, column = 0);
      }
      const Picture picture = draw(panel);
      body += fmt::format("<g transform=\"translate({:g} {:g})\">\n{}</g>\n", column * panel_width,
                          top, picture.svg);
      width = std::max(width, ++column * panel_width);
      height = std::max(height, picture.height);
    }
    top += height;
  }
  if (body.empty()) return {};
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
      "height=\"{1:g}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{2}</svg>\n",
      width, top, body);
}

}  // namespace agpusim::report
