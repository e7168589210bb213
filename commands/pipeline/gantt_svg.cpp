#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "agpusim/commands/pipeline/gantt.hpp"
#include "agpusim/validation/io/units.hpp"
#include "agpusim/validation/report/html_page.hpp"

namespace agpusim::out_of_core {
namespace {

using agpusim::detail::bytes_text;
using agpusim::detail::escaped;
using agpusim::detail::seconds_text;
using transfer::Engine;
using transfer::OperationId;

constexpr std::int64_t most_single = 2000;  // longest pipeline with a bar for each operation
constexpr std::size_t most_bars = 500;      // bars of an engine in a longer pipeline
constexpr int left = 84;                    // for the names of the engines
constexpr int right = 64;                   // for their utilisation
constexpr int pitch = 34;                   // distance of rows
constexpr int height = 24;                  // height of a bar
constexpr int axis_height = 36;

/// Operations of one engine that are drawn as one.
struct Bar {
  std::vector<OperationId> operations;  // by time
  double begin = 0;
  double end = 0;
  double busy = 0;  // seconds in which one of them runs
};

/// The operations of an engine, of a long pipeline in at most most_bars of its neighbours.
std::vector<Bar> bars_of(const transfer::Pipeline& pipeline, const transfer::Schedule& schedule,
                         Engine engine) {
  std::vector<OperationId> operations;
  for (OperationId id = 0; id < pipeline.size(); ++id) {
    if (pipeline[id].engine == engine) operations.push_back(id);
  }
  const auto interval = [&](OperationId id) {
    return schedule.intervals[static_cast<std::size_t>(id)];
  };
  std::stable_sort(operations.begin(), operations.end(), [&](OperationId a, OperationId b) {
    return interval(a).begin < interval(b).begin;
  });
  const std::size_t per_bar =
      pipeline.size() <= most_single ? 1 : (operations.size() + most_bars - 1) / most_bars;
  std::vector<Bar> bars;
  for (const OperationId id : operations) {
    if (bars.empty() || bars.back().operations.size() == per_bar) {
      bars.push_back({{}, interval(id).begin, 0, 0});
    }
    bars.back().operations.push_back(id);
    bars.back().end = std::max(bars.back().end, interval(id).end);
    bars.back().busy += interval(id).end - interval(id).begin;
  }
  return bars;
}

/// Part of the bar's time in which the engine is busy.
double share_of(const Bar& bar) {
  return bar.end > bar.begin ? bar.busy / (bar.end - bar.begin) : 1;
}

std::string tooltip(const transfer::Pipeline& pipeline, const Bar& bar) {
  const std::string times = fmt::format("{} to {}", seconds_text(bar.begin), seconds_text(bar.end));
  if (bar.operations.size() > 1) {
    std::int64_t bytes = 0;
    for (const OperationId id : bar.operations) bytes += pipeline[id].bytes;
    return fmt::format("{} operations, {}, {}, busy {:.1f} %", bar.operations.size(),
                       bytes_text(bytes), times, 100 * share_of(bar));
  }
  const transfer::Operation& operation = pipeline[bar.operations.front()];
  std::string text = fmt::format("{}, stream {}", escaped(operation.name), operation.stream);
  if (operation.chunk >= 0) text += fmt::format(", chunk {}", operation.chunk);
  if (operation.bytes > 0) text += ", " + bytes_text(operation.bytes);
  return text + ", " + times;
}

/// Bars of several operations have the colour of no stream.
std::string colour(const transfer::Pipeline& pipeline, const Bar& bar) {
  constexpr std::array<const char*, 10> light{"#1f5fbf", "#c2410c", "#15803d", "#a21caf",
                                              "#0e7490", "#a16207", "#be123c", "#4d7c0f",
                                              "#6d28d9", "#57534e"};
  if (bar.operations.size() > 1) return "var(--soft, #5b636d)";
  const auto stream = static_cast<std::size_t>(pipeline[bar.operations.front()].stream);
  const std::size_t i = (stream + light.size() - 1) % light.size();
  return fmt::format("var(--c{}, {})", i, light[i]);
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     text);
}

std::string axis_svg(double makespan, double scale, int top, int width) {
  constexpr int pixels_per_tick = 90;
  const agpusim::detail::TimeAxis times =
      agpusim::detail::time_axis(makespan, std::max(1, width / pixels_per_tick));
  std::string svg;
  for (const double tick : times.ticks) {
    const double x = left + tick * times.unit.seconds * scale;
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"0\" x2=\"{0:.1f}\" y2=\"{1}\" "
        "stroke=\"var(--grid, #e8ebef)\"/>\n",
        x, top + 4);
    svg += text_at(x, top + 20, "middle", fmt::format("{:g} {}", tick, times.unit.name));
  }
  return svg;
}

}  // namespace

std::string gantt_svg(const transfer::Pipeline& pipeline, const transfer::Schedule& schedule,
                      std::int32_t width) {
  const int rows = static_cast<int>(transfer::engines.size());
  const int chart = std::max(1, width - left - right);
  const double scale = schedule.makespan > 0 ? chart / schedule.makespan : 0;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\" aria-label=\"operations of each engine over time\" "
      "font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"var(--ink, #1c2024)\">\n",
      width, rows * pitch + axis_height);
  svg += axis_svg(schedule.makespan, scale, rows * pitch, chart);
  for (int row = 0; row < rows; ++row) {
    const Engine engine = transfer::engines[static_cast<std::size_t>(row)];
    const int top = row * pitch + (pitch - height) / 2;
    svg += text_at(left - 8, top + 16, "end", to_string(engine));
    for (const Bar& bar : bars_of(pipeline, schedule, engine)) {
      svg += fmt::format(
          "<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\" "
          "fill-opacity=\"{:.2f}\" "
          "stroke=\"var(--panel, #ffffff)\" stroke-width=\"0.3\"><title>{}</title>"
          "</rect>\n",
          left + bar.begin * scale, top, (bar.end - bar.begin) * scale, height,
          colour(pipeline, bar), share_of(bar), tooltip(pipeline, bar));
    }
    svg += text_at(width - 4, top + 16, "end",
                   fmt::format("{:.1f} %", 100 * schedule.utilisation(engine)));
  }
  return svg + "</svg>\n";
}

}  // namespace agpusim::out_of_core
