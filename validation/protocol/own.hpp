#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agpusim/validation/protocol/protocol.hpp"
#include "agpusim/validation/records/record.hpp"
#include "agpusim/validation/report/report.hpp"

/// How well the times of a user's own program are predicted.
namespace agpusim::protocol {

/// Runs of rows of one registry on one device, predicted in one of two ways.
struct OwnScores {
  std::string from;          ///< "counts", "compiled kernels"
  std::vector<Line> by_row;  ///< each algorithm and variant
  Line all;
  Contests contests;  ///< of runs with one result
};

/// Scores the latest records of each run on the device: from counts, and those whose kernels are at
/// hand as PTX also from these. Constants are those of the device file. Throws UsageError where no
/// record is of a row of the registry on this device.
[[nodiscard]] std::vector<OwnScores> own_scores(const Registry& registry, const DeviceFile& device,
                                                const RecordFile& records, const Options& options);

[[nodiscard]] report::Report to_report(const std::vector<OwnScores>& scores,
                                       const DeviceFile& device);

}  // namespace agpusim::protocol
