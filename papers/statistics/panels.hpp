#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/papers/common/contest.hpp"

namespace agpusim::statistics_experiment {

/// A run beside the others of its panel.
struct PanelEntry : contest::PlannedRun {
  std::optional<double> floor_share;   ///< floor over measured time
  std::optional<double> over_library;  ///< measured time over that of the panel's first program
};

/// The contestants of a panel at one n.
struct PanelRow {
  std::int64_t n = 0;
  double floor_us = 0;              ///< what must be moved, at Panels::bandwidth
  std::vector<PanelEntry> entries;  ///< contestants with a run of this n
};

struct PanelResult {
  contest::Panel panel;
  std::vector<PanelRow> rows;  ///< n ascending
};

/// GB/s that floors are stated with.
struct PanelBandwidth {
  double read = 0;     ///< the larger of the device file's and what a program of the panels reached
  std::string reader;  ///< where `read` comes from
  double copy = 0;     ///< read plus written, of the device file
};

/// The panels on one device.
struct Panels {
  Environment environment;
  PanelBandwidth bandwidth;
  std::vector<PanelResult> panels;
  std::int64_t unmeasured = 0;  ///< runs of the plan without a record
  std::int64_t foreign = 0;     ///< records of no run of the plan
};

/// Holds the contest of the plan, and compares with floors and libraries. Throws as
/// contest::hold does.
[[nodiscard]] Panels compare_panels(const contest::Plan& plan, const Registry& registry,
                                    const contest::ContestOptions& options);

}  // namespace agpusim::statistics_experiment
