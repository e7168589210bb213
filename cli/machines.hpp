#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "agpusim/validation/records/device_file.hpp"

namespace agpusim {

/// The device files of a folder, or one file.
struct Devices {
  std::vector<DeviceFile> files;
  std::vector<std::string> damaged;  ///< what is wrong with the other files there
};

/// The devices of the folder `devices`, or in that one file, by name; empty: the bundled ones, the
/// largest first. A file from before files had machines gets those named as it is. Throws IoError.
[[nodiscard]] Devices read_devices(const std::string& devices);

/// Every named machine: those of the device files in `devices`, then the bundled ones (the first is
/// the default) and those of no device, of each name the first.
[[nodiscard]] std::vector<Machine> machines(const std::string& devices = {});

/// Throws UsageError with the known names when there is none of this name; FileError where a file
/// of `devices` that may have it is damaged.
[[nodiscard]] Machine find_machine(const std::string& name, const std::string& devices = {});

/// The table of `agpusim help machines`.
[[nodiscard]] std::string machines_text();

/// The bundled machines on which times are predicted: "h200, ... and h200-full".
[[nodiscard]] std::string predicted_machines();

}  // namespace agpusim
