#pragma once

#include <map>
#include <string>
#include <vector>

#include "agpusim/model/run/run.hpp"
#include "agpusim/validation/calibrate/device_file.hpp"

namespace agpusim {

/// The time that the counts and the device constants foretell.
struct Prediction {
  double milliseconds = 0;
  std::string limit;  ///< the part with most time: launch, bandwidth, issue, shared or latency
  std::map<std::string, double> parts;  ///< milliseconds by limit; they add up to the total
};

/// Roofline of the counts, phase by phase, without a fitted constant. Throws FileError when the
/// device file lacks a constant; std::invalid_argument without phases.
[[nodiscard]] Prediction predict(const RunConfig& config, const std::vector<PhaseReport>& phases,
                                 const DeviceFile& device);

}  // namespace agpusim
