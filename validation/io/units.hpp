#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace agpusim::detail {

/// A unit of time.
struct TimeUnit {
  const char* name;
  double seconds;
};

/// The largest unit that leaves `seconds` at 1 or more; the smallest (ns) for less.
[[nodiscard]] TimeUnit unit_of(double seconds);

/// For example "12.35 ms", with four significant digits.
[[nodiscard]] std::string seconds_text(double seconds);

/// For example "3.000 GB", with four significant digits; whole bytes below 1000.
[[nodiscard]] std::string bytes_text(std::int64_t bytes);

/// Round times 0, s, 2s, ... up to `seconds`, at most `most` + 1 of them, s being 1, 2 or 5 times a
/// power of ten of the unit of `seconds`.
struct TimeAxis {
  TimeUnit unit;
  std::vector<double> ticks;  ///< in units
};
[[nodiscard]] TimeAxis time_axis(double seconds, int most);

}  // namespace agpusim::detail
