#pragma once

#include <string>

#include "agpusim/validation/calibrate/device_file.hpp"

namespace agpusim {

/// The JSON text of a device file, one constant per line in the order of `device.constants`; what
/// load_device reads. Throws std::invalid_argument for a constant that load_device would reject.
[[nodiscard]] std::string device_file_text(const DeviceFile& device);

}  // namespace agpusim
