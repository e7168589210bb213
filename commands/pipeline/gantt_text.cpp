#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "agpusim/commands/pipeline/gantt.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/units.hpp"

namespace agpusim::out_of_core {
namespace {

using transfer::Engine;

constexpr std::int32_t least_columns = 20;
constexpr std::size_t name_columns = 9;

char character_of(std::int32_t stream) {
  if (stream < 10) return static_cast<char>('0' + stream);
  if (stream < 36) return static_cast<char>('a' + stream - 10);
  if (stream < 62) return static_cast<char>('A' + stream - 36);
  return '#';
}

/// What an engine does in one column.
struct Cell {
  double busy = 0;     ///< columns
  double longest = 0;  ///< columns of one operation
  char character = '.';
};

std::string row_text(const transfer::Pipeline& pipeline, const transfer::Schedule& schedule,
                     Engine engine, std::int32_t columns) {
  std::vector<Cell> cells(static_cast<std::size_t>(columns));
  const double scale = columns / schedule.makespan;
  for (transfer::OperationId id = 0; id < pipeline.size(); ++id) {
    if (pipeline[id].engine != engine) continue;
    const transfer::Interval& interval = schedule.intervals[static_cast<std::size_t>(id)];
    const double begin = interval.begin * scale;
    const double end = interval.end * scale;
    for (auto i = static_cast<std::int32_t>(begin); i < columns && i < end; ++i) {
      Cell& cell = cells[static_cast<std::size_t>(i)];
      const double inside = std::min(end, i + 1.0) - std::max<double>(begin, i);
      cell.busy += inside;
      if (inside > cell.longest) {
        cell.longest = inside;
        cell.character = character_of(pipeline[id].stream);
      }
    }
  }
  std::string text;
  for (const Cell& cell : cells) text += cell.busy > 0 && cell.busy < 0.5 ? '-' : cell.character;
  return text;
}

/// Ticks below the rows, and their labels, each beginning at its tick.
std::string axis_text(double makespan, std::int32_t columns) {
  constexpr int columns_per_tick = 12;
  const agpusim::detail::TimeAxis axis =
      agpusim::detail::time_axis(makespan, columns / columns_per_tick);
  const double scale = columns * axis.unit.seconds / makespan;
  std::string ticks(static_cast<std::size_t>(columns), ' ');
  std::string labels = ticks;
  for (const double tick : axis.ticks) {
    const auto at = static_cast<std::size_t>(std::min(tick * scale, columns - 1.0));
    const std::string label = fmt::format("{:g}", tick);
    ticks[at] = '|';
    if (at + label.size() <= labels.size()) labels.replace(at, label.size(), label);
  }
  ticks.erase(ticks.find_last_not_of(' ') + 1);
  const std::string margin(name_columns + 1, ' ');
  return fmt::format("{}{}\n{}{} {}\n", margin, ticks, margin, labels, axis.unit.name);
}

}  // namespace

std::string gantt_text(const transfer::Pipeline& pipeline, const transfer::Schedule& schedule,
                       std::int32_t columns) {
  if (columns < least_columns) {
    throw UsageError(fmt::format("a chart of {} columns: at least {}", columns, least_columns));
  }
  if (schedule.makespan <= 0) return "no operation takes time\n";
  std::string text;
  for (const Engine engine : transfer::engines) {
    text += fmt::format("{:<{}} {} {:5.1f} %\n", to_string(engine), name_columns,
                        row_text(pipeline, schedule, engine, columns),
                        100 * schedule.utilisation(engine));
  }
  return text + axis_text(schedule.makespan, columns);
}

}  // namespace agpusim::out_of_core
