#pragma once

#include <string>

#include "agpusim/validation/report/report.hpp"

namespace agpusim::report {

/// The tables of the text as LaTeX of the package booktabs, numbers to the right.
[[nodiscard]] std::string to_tex(const Report& report);

/// The panels with two logarithmic axes as an SVG file: light, and with a mark for each series.
/// Empty without such a panel.
[[nodiscard]] std::string to_svg(const std::vector<detail::Plot>& plots);

}  // namespace agpusim::report
