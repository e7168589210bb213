#pragma once

#include <string>
#include <vector>

#include "agpusim/validation/sweep/fits.hpp"
#include "agpusim/validation/sweep/sweep.hpp"

namespace agpusim::sweep {

/// What `agpusim sweep` and `agpusim merge` found. One struct, many writers.
struct Result {
  std::vector<Point> points;       ///< sorted
  std::vector<Fit> fits;           ///< empty unless asked for
  std::vector<std::string> notes;  ///< sentences for a reader: what is missing, what was checked
};

/// One table for each program, then the laws.
[[nodiscard]] std::string to_text(const Result& result);

/// A line for each law beside the stated bound, and how many bounds the counts follow.
[[nodiscard]] std::string laws_text(const std::vector<Fit>& fits);

/// All points and laws; numbers are numbers, absent ones null.
[[nodiscard]] std::string to_json(const Result& result);

/// A line for each point.
[[nodiscard]] std::string to_csv(const std::vector<Point>& points);

/// A page of plots, each self-contained SVG: every quantity of every program against n, both
/// logarithmic, with the slope at the largest sizes.
[[nodiscard]] std::string to_html(const Result& result);

}  // namespace agpusim::sweep
