#pragma once

#include <string>
#include <vector>

#include "agpusim/model/run/run.hpp"
#include "agpusim/validation/calibrate/device_file.hpp"

namespace agpusim {

/// Why a multiprocessor of the device cannot hold a task of these phases; empty when it can. Throws
/// FileError when the device file lacks a constant.
[[nodiscard]] std::string why_not_resident(const RunConfig& config,
                                           const std::vector<PhaseReport>& phases,
                                           const DeviceFile& device);

}  // namespace agpusim
