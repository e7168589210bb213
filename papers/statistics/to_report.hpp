#pragma once

#include <vector>

#include "agpusim/papers/statistics/experiment.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim::statistics_experiment {

/// The account of the paper's times, the panels and the accuracy of the variances; times in
/// microseconds.
[[nodiscard]] report::Report to_report(const Experiment& experiment);

/// "account" (a panel per card, time over N), the paper's figures, errors of the variance and, with
/// a comparison, "panels" (time over n); marks measured, lines predicted.
[[nodiscard]] std::vector<agpusim::detail::Plot> plots(const Experiment& experiment);

}  // namespace agpusim::statistics_experiment
