#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "agpusim/validation/sweep/sweep.hpp"

namespace agpusim::sweep {

/// What the points of a file are a part of.
struct Whole {
  std::string sweep;        ///< a digest of all runs of the sweep: equal for all of its parts
  std::int64_t points = 0;  ///< of all parts

  friend auto operator<=>(const Whole&, const Whole&) = default;
};

/// The whole sweep that these runs are.
[[nodiscard]] Whole whole_of(const std::vector<Run>& runs);

/// A point as a sealed JSON line without the newline.
[[nodiscard]] std::string to_line(const Point& point, const Whole& whole);

/// A point of a file.
struct KeptPoint {
  Point point;
  Whole whole;
};

/// The inverse of to_line. Throws JsonError.
[[nodiscard]] KeptPoint from_line(const std::string& line);

/// The points of a file, in its order. Throws IoError, and FileError that names file and line.
[[nodiscard]] std::vector<KeptPoint> read_points(const std::filesystem::path& path);

/// Points of several parts, each run once (the last one counts), sorted, and a sentence for each
/// sweep that is not complete.
struct Merged {
  std::vector<KeptPoint> kept;
  std::vector<std::string> missing;
  std::int64_t replaced = 0;  ///< points whose run a later one has with other numbers
};
[[nodiscard]] Merged merge(const std::vector<KeptPoint>& points);

}  // namespace agpusim::sweep
