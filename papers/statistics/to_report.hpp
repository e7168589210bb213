#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/algorithms/statistics/accuracy.hpp"
#include "agpusim/papers/statistics/account.hpp"
#include "agpusim/papers/statistics/panels.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim::statistics_experiment {

/// What the experiment of seed 003 found.
struct Experiment {
  Account account;              ///< the paper's times
  contest::Contest panels;      ///< on a device of today
  PanelBandwidth bandwidth;     ///< what the floors of the panels need
  std::int64_t accuracy_n = 0;  ///< numbers behind each row of `accuracy`
  std::vector<statistics::VarianceError> accuracy;
};

/// |variance / exact - 1|; NaN where the variance is.
[[nodiscard]] inline double relative_error(const statistics::VarianceError& row) {
  return std::abs(row.variance / row.exact - 1);
}

/// The account of the paper's times, the panels and the accuracy of the variances; times in
/// microseconds.
[[nodiscard]] report::Report to_report(const Experiment& experiment);

/// "account" (a panel per card, time over N), the paper's figures, errors of the variance and, with
/// a comparison, "panels" (time over n); marks measured, lines predicted.
[[nodiscard]] std::vector<agpusim::detail::Plot> plots(const Experiment& experiment);

}  // namespace agpusim::statistics_experiment
