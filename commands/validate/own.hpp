#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agpusim/commands/validate/protocol.hpp"
#include "agpusim/validation/records/record.hpp"
#include "agpusim/validation/report/report.hpp"

/// How well the times of a user's own program are predicted.
namespace agpusim::protocol {

/// Runs of rows of one registry on one device, predicted in one of two ways.
struct OwnScores {
  std::string from;            ///< "counts", "compiled kernels"
  std::vector<Line> lines;     ///< the first by constants of the device file
  std::string left_out;        ///< "style"; "algorithm" where no row has a style
  std::vector<Line> by_style;  ///< each left out; empty where there is one style only
  std::vector<Line> by_row;    ///< each algorithm and variant, by constants of the device file
  Contests contests;           ///< pairs of runs with one result, by constants of the device file
  std::vector<Coverage> intervals;  ///< intervals of styles left out
};

/// The style of an algorithm: rows of one style are left out together.
using StyleOf = std::function<std::string(const std::string& algorithm)>;

/// Scores the latest records of each run on the device: from counts, and those whose kernels are at
/// hand as PTX also from these. Predicted by constants of the device file, each style by constants
/// fitted to the others, all by constants fitted to the bundled table; and that table by constants
/// fitted to these runs. Throws UsageError where no record is of a row of the registry on this
/// device.
[[nodiscard]] std::vector<OwnScores> own_scores(const Registry& registry, const DeviceFile& device,
                                                const RecordFile& records, const StyleOf& style_of,
                                                const Options& options);

[[nodiscard]] report::Report to_report(const std::vector<OwnScores>& scores,
                                       const DeviceFile& device);

}  // namespace agpusim::protocol
