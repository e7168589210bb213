#pragma once

#include <string>
#include <vector>

#include "agpusim/validation/report/plot_data.hpp"
#include "agpusim/validation/rows/row.hpp"

namespace agpusim::sweep {

using Rows = std::vector<const Row*>;

/// The names of what the points count, in the order in which they come first.
[[nodiscard]] std::vector<std::string> quantities_of(const Rows& points);

/// What is counted and the predicted time against n; at least one point.
[[nodiscard]] agpusim::detail::Plot plot_of(const Rows& points);

/// One plot of all programs, where their lines can be told apart; else none.
[[nodiscard]] std::vector<agpusim::detail::Plot> common_plot(const std::vector<Row>& rows);

}  // namespace agpusim::sweep
