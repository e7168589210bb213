#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/calibrate/device_file.hpp"
#include "agpusim/validation/experiments/statistics/panels.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim::statistics_experiment {

/// Measured and foretold time of one contestant at one n.
struct PanelEntry {
  Contestant contestant;
  std::optional<double> measured_us;  ///< median of the samples
  double measured_low_us = 0;         ///< 5 % quantile (minimum of fewer than 20 samples)
  double measured_high_us = 0;        ///< 95 % quantile (maximum of fewer than 20 samples)
  std::int64_t samples = 0;
  std::optional<double> floor_share;   ///< floor over measured time
  std::optional<double> over_library;  ///< measured time over that of the panel's library
  std::optional<double> predicted_us;  ///< none for libraries
  std::string limit;                   ///< what limits it by the counts
};

/// The contestants of a panel at one n.
struct PanelRow {
  std::int64_t n = 0;
  double floor_us = 0;              ///< what must be moved, at Comparison::bandwidth
  std::vector<PanelEntry> entries;  ///< those that take part
};

struct PanelResult {
  Panel panel;
  std::vector<PanelRow> rows;  ///< n ascending
};

/// GB/s that floors are stated with.
struct PanelBandwidth {
  double read = 0;     ///< the larger of the device file's and what a program of the panels reached
  std::string reader;  ///< where `read` comes from
  double copy = 0;     ///< read plus written, of the device file
};

/// The panels on one device.
struct Comparison {
  Environment environment;
  PanelBandwidth bandwidth;
  std::vector<PanelResult> panels;
  std::int64_t unmeasured = 0;  ///< runs of the plan without a record
  std::int64_t foreign = 0;     ///< records of no run of the plan
};

struct ComparisonOptions {
  std::vector<TimingRecord> records;
  DeviceFile device;
  SizeChoice sizes;
  FindMachine machine;
  /// Called now and then with the fraction of the work done.
  std::function<void(double fraction)> progress = {};
};

/// Compares records with predictions, panel by panel. Of several records of one run the one with
/// the latest date counts. Throws UsageError when there is no record or the records are of several
/// devices; Mismatch that names panel, n and contestants when two results that one row says to be
/// right differ.
[[nodiscard]] Comparison compare_panels(const std::vector<Panel>& panels, const Registry& registry,
                                        const ComparisonOptions& options);

}  // namespace agpusim::statistics_experiment
