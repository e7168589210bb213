#include "agpusim/validation/io/units.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "agpusim/validation/io/text_table.hpp"

namespace agpusim::detail {

TimeUnit unit_of(double seconds) {
  constexpr std::array<TimeUnit, 4> units{{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}};
  for (const TimeUnit& unit : units) {
    if (seconds >= unit.seconds) return unit;
  }
  return units.back();
}

std::string seconds_text(double seconds) {
  if (seconds == 0) return "0 s";
  const TimeUnit unit = unit_of(seconds);
  return fmt::format("{} {}", decimal_text(seconds / unit.seconds), unit.name);
}

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array<const char*, 6> units{"B", "kB", "MB", "GB", "TB", "PB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < units.size(); ++unit) value /= 1000;
  return fmt::format("{} {}", decimal_text(value), units[unit]);
}

TimeAxis time_axis(double seconds, int most) {
  TimeAxis axis{unit_of(seconds), {0}};
  const double length = seconds / axis.unit.seconds;
  if (length <= 0) return axis;
  double step = std::pow(10.0, std::floor(std::log10(length / most)));
  for (const double factor : {2.0, 2.5, 2.0}) {  // 1, 2, 5, 10
    if (length / step > most) step *= factor;
  }
  for (int i = 1; i * step <= length; ++i) axis.ticks.push_back(i * step);
  return axis;
}

}  // namespace agpusim::detail
