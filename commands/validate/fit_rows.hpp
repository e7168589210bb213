#pragma once

#include <string>
#include <vector>

#include "agpusim/commands/validate/protocol.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim::protocol {

/// Makes a row to predict from the counts of a run that was measured, and takes these over; its
/// style is its algorithm.
[[nodiscard]] FitRow fit_row_of(Row&& row);

/// The latest timed runs on a device, of rows of the registry whose counts and executions are known
/// without a simulation. `refused` gets the others, and why.
[[nodiscard]] RowSet read_rows(const Registry& registry, const DeviceFile& device,
                               const std::string& experiment, const RecordFile& file,
                               const Options& options, std::vector<std::string>& refused);

/// Rows of one device whose records of the experiment are bundled.
struct DeviceRows {
  DeviceFile device;
  RowSet set;
};
/// The result has every device but the one named `without`.
[[nodiscard]] std::vector<DeviceRows> read_rows_of_all(const Registry& registry,
                                                       const std::string& experiment,
                                                       const Options& options,
                                                       std::vector<std::string>& refused,
                                                       const std::string& without = {});

}  // namespace agpusim::protocol
