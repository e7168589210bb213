#include "agpusim/validation/sweep/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace agpusim::sweep {
namespace {

constexpr double width = 560;
constexpr double height = 330;
constexpr double left = 62;
constexpr double right = 52;  // for the slopes
constexpr double top = 34;
constexpr double bottom = 44;
constexpr double legend_line = 17;

/// Okabe and Ito: told apart by readers who are colour-blind; the marks tell them apart as well.
constexpr std::array<const char*, 7> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#e69f00", "#56b4e9", "#7f7f7f"};

/// A linear map of the logarithms of an axis onto pixels.
struct Axis {
  double low = 0;   // lg of the smallest value
  double high = 1;  // lg of the largest
  double from = 0;
  double to = 0;

  [[nodiscard]] double at(double value) const {
    return from + (to - from) * (std::log2(value) - low) / (high - low);
  }
};

std::string mark(std::size_t kind, double x, double y, const char* colour) {
  constexpr double r = 3.5;
  switch (kind % 4) {
    case 0:
      return fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{}" fill="{}"/>)", x, y, r, colour);
    case 1:
      return fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{}" height="{}" fill="{}"/>)", x - r,
                         y - r, 2 * r, 2 * r, colour);
    case 2:
      return fmt::format(R"(<path d="M{:.1f} {:.1f}l{} {}h{}z" fill="{}"/>)", x, y - r - 1, r + 1,
                         2 * r + 1, -2 * r - 2, colour);
    default:
      return fmt::format(R"(<path d="M{:.1f} {:.1f}l{} {}l{} {}l{} {}z" fill="{}"/>)", x, y - r - 1,
                         r + 1, r + 1, -r - 1, r + 1, -r - 1, -r - 1, colour);
  }
}

std::string text_at(double x, double y, const std::string& anchor, const std::string& text) {
  return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)", x, y, anchor,
                     xml_text(text));
}

std::string grid(const Axis& x, const Axis& y, double plot_bottom) {
  constexpr int most_ticks = 9;
  std::string svg;
  const auto first = static_cast<int>(std::ceil(x.low - 1e-9));
  const auto last = static_cast<int>(std::floor(x.high + 1e-9));
  const int step = std::max(1, (last - first + most_ticks - 1) / most_ticks);
  for (int i = first; i <= last; i += step) {
    const double at = x.at(std::exp2(i));
    svg += fmt::format(R"(<path class="grid" d="M{:.1f} {}V{}"/>)", at, top, plot_bottom);
    svg += text_at(at, plot_bottom + 16, "middle", fmt::format("2^{}", i));
  }
  const double tenth = std::log10(2.0);
  const auto lowest = static_cast<int>(std::ceil(y.low * tenth - 1e-9));
  const auto highest = static_cast<int>(std::floor(y.high * tenth + 1e-9));
  const int stride = std::max(1, (highest - lowest + most_ticks - 1) / most_ticks);
  for (int i = lowest; i <= highest; i += stride) {
    const double at = y.at(std::pow(10.0, i));
    svg += fmt::format(R"(<path class="grid" d="M{} {:.1f}H{}"/>)", left, at, width - right);
    svg += text_at(left - 6, at + 4, "end", fmt::format("1e{}", i));
  }
  return svg;
}

}  // namespace

double slope_at_end(const Series& series) {
  if (series.points.size() < 2) return 0;
  const auto& [x1, y1] = series.points.back();
  auto begin = series.points.end() - 2;
  while (begin != series.points.begin() && begin->first > x1 / 4 * 1.001) --begin;
  return std::log(y1 / begin->second) / std::log(x1 / begin->first);
}

std::string xml_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return result;
}

std::string loglog_svg(const std::string& title, const std::string& x_title,
                       const std::vector<Series>& series) {
  Axis x{1e300, -1e300, left, width - right};
  Axis y{1e300, -1e300, height - bottom, top};
  for (const Series& one : series) {
    for (const auto& [px, py] : one.points) {
      x.low = std::min(x.low, std::log2(px));
      x.high = std::max(x.high, std::log2(px));
      y.low = std::min(y.low, std::log2(py));
      y.high = std::max(y.high, std::log2(py));
    }
  }
  if (x.low > x.high) return {};
  constexpr double margin = 0.5;  // octaves, also where all values are equal
  for (Axis* const axis : {&x, &y}) {
    axis->low -= margin;
    axis->high += margin;
  }
  const double total = height + legend_line * static_cast<double>(series.size());
  std::string svg = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {:.0f}" role="img" aria-label="{}">)"
      "<style>text{{font:12px system-ui,sans-serif;fill:currentColor}}"
      ".grid{{stroke:currentColor;opacity:.15;fill:none}}</style>",
      width, total, xml_text(title));
  svg += fmt::format(R"(<text x="{}" y="18" style="font-weight:600;font-size:13px">{}</text>)",
                     left, xml_text(title));
  svg += grid(x, y, height - bottom);
  svg += text_at((left + width - right) / 2, height - 8, "middle", x_title);
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Series& one = series[i];
    const char* const colour = colours[i % colours.size()];
    std::string line;
    for (const auto& [px, py] : one.points) {
      line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x.at(px), y.at(py));
    }
    svg += fmt::format(R"(<path d="{}" fill="none" stroke="{}" stroke-width="1.5"{}/>)", line,
                       colour, one.dashed ? R"( stroke-dasharray="5 4")" : "");
    if (!one.dashed) {
      for (const auto& [px, py] : one.points) {
        svg += mark(i, x.at(px), y.at(py), colour);
      }
    }
    if (one.points.size() > 1 && !one.dashed) {
      const auto& [px, py] = one.points.back();
      svg +=
          text_at(x.at(px) + 8, y.at(py) + 4, "start", fmt::format("n^{:.2f}", slope_at_end(one)));
    }
    const double at = height + legend_line * static_cast<double>(i) + 6;
    svg += fmt::format(R"(<path d="M{} {:.1f}h24" stroke="{}" stroke-width="1.5"{}/>)", left, at,
                       colour, one.dashed ? R"( stroke-dasharray="5 4")" : "");
    if (!one.dashed) svg += mark(i, left + 12, at, colour);
    svg += text_at(left + 32, at + 4, "start", one.label);
  }
  return svg + "</svg>";
}

}  // namespace agpusim::sweep
