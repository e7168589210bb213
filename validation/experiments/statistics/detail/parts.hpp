#pragma once

#include <string>
#include <vector>

#include "agpusim/validation/experiments/statistics/experiment.hpp"
#include "agpusim/validation/report/plot_data.hpp"

namespace agpusim::statistics_experiment::detail {

using agpusim::detail::Json;

/// Everything but the plots.
[[nodiscard]] Json encode(const Experiment& experiment);

/// As a page takes them: "account" (a panel per card, time over N) and, with a comparison, "panels"
/// (time over n); marks measured, lines predicted.
[[nodiscard]] std::vector<agpusim::detail::Plot> plots(const Experiment& experiment);

/// The constants and the twenty rows of each card, then which number of rounds explains more.
[[nodiscard]] std::string account_text(const Account& account);

}  // namespace agpusim::statistics_experiment::detail
