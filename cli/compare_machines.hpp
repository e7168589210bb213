#pragma once

#include <string>
#include <vector>

#include "agpusim/cli/machine_options.hpp"
#include "agpusim/validation/records/record.hpp"
#include "agpusim/validation/rows/selection.hpp"

namespace agpusim {

/// Where predictions and measurements of the machines come from.
struct DeviceChoice {
  std::string device;                ///< --device: a device's name or its file's; empty: by machine
  std::string devices;               ///< folder of device files, or one; empty: the bundled ones
  std::vector<std::string> records;  ///< as on the command line; empty: the bundled ones
};

/// Every combination of the lists in `options` (machines, those of `choice.devices` too, p, b, M,
/// w, V). A machine with p, b and w of one in a device file stands for that device. Throws
/// UsageError for a value that is none of a machine, and when no combination can exist; FileError
/// for a device that no file describes.
[[nodiscard]] std::vector<contest::ComparedMachine> compared_machines(
    MachineOptions options, const DeviceChoice& choice, const std::vector<TimingRecord>& records);

/// The first of these machines, with the constants that predict times on it. Throws UsageError
/// where there are none.
[[nodiscard]] contest::ComparedMachine predicted_machine(const MachineOptions& options,
                                                         const DeviceChoice& choice);

/// The machine of the first value of each list; without constants where its files cannot be read:
/// counts are right without them. Throws UsageError for a machine that cannot exist.
[[nodiscard]] contest::ComparedMachine one_machine(const MachineOptions& options);

}  // namespace agpusim
