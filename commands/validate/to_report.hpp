#pragma once

#include <string>
#include <vector>

#include "agpusim/commands/validate/protocol.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim::protocol {

/// Tables of splits, algorithms, baselines and constants; errors are fractions.
[[nodiscard]] report::Report to_report(const Validation& validation, const DeviceFile& device);

/// Columns of a table of lines, the first headed `what`.
[[nodiscard]] std::vector<report::Column<Line>> score_columns(const std::string& what);

/// score_columns and what the constants are fitted to.
[[nodiscard]] std::vector<report::Column<Line>> columns(const std::string& what);

/// Intervals of measured over predicted time, and how many rows of styles left out they hold.
[[nodiscard]] report::Table interval_table(const std::vector<Coverage>& intervals);

}  // namespace agpusim::protocol
