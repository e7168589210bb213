#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/algorithms/statistics/accuracy.hpp"
#include "agpusim/papers/common/contest.hpp"
#include "agpusim/papers/statistics/account.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim::statistics_experiment {

/// GB/s that floors are stated with.
struct PanelBandwidth {
  double read = 0;     ///< the larger of the device file's and what a program of the panels reached
  std::string reader;  ///< where `read` comes from
  double copy = 0;     ///< read plus written, of the device file
};

[[nodiscard]] PanelBandwidth bandwidth_of(const contest::Contest& contest,
                                          const DeviceFile& device);

/// Microseconds that what must be moved takes.
[[nodiscard]] double floor_us(const contest::Event& event, const PanelBandwidth& bandwidth);

/// Milliseconds of the first program of the panel.
[[nodiscard]] std::optional<double> library_ms(const contest::Event& event);

/// A statement of the paper about its times, on one device.
struct Finding {
  std::string section;  ///< section of the paper
  std::string statement;
  std::string device;
  bool holds = false;
  std::string numbers;  ///< what was measured, in one line
};

/// The statements about the growth of Tm and of the speed-up Ts/Tm, each on the cards of the paper
/// and on the device of the panels. A device without the times takes no part.
[[nodiscard]] std::vector<Finding> findings_of(const Account& account,
                                               const contest::Contest& panels);

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
