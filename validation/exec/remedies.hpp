#pragma once

#include <string>
#include <vector>

#include "agpusim/validation/exec/launch_record.hpp"
#include "agpusim/validation/predict/predict.hpp"

/// What to change in a kernel, recognised from what was counted.
namespace agpusim::exec {

/// What to do about a line of a launch, or about its kernel, and what that gains.
struct Remedy {
  std::string pattern;                    ///< one of pattern_names()
  std::string advice;                     ///< in words
  const ptx::PricedLine* line = nullptr;  ///< in the launch; null: the kernel as a whole
  double without_ms = 0;                  ///< predicted time of the launch if it is followed
};

/// What can be recognised: those of lines, then those of kernels.
[[nodiscard]] std::vector<std::string> pattern_names();

/// The best remedy of each line and all of the kernel that gain at least a fiftieth of the time,
/// the largest gain first. None where the launch has no predicted time.
[[nodiscard]] std::vector<Remedy> remedies_of(const LaunchRecord& launch, const AgpuSpec& spec,
                                              const DeviceFile& device);

}  // namespace agpusim::exec
