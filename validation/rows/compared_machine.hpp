#pragma once

#include <optional>
#include <string>

#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/validation/records/device_file.hpp"

namespace agpusim::contest {

/// A machine that runs are counted on, and the device that it is a view of.
struct ComparedMachine {
  std::string label;  ///< for example "h200 M=4096"
  AgpuSpec spec;
  std::string device;                   ///< whose measurements count; empty: none
  std::optional<DeviceFile> constants;  ///< constants that predict times; none: no prediction
  std::string why_not_predicted;        ///< empty with constants
  std::string refusal;                  ///< why there can be no such machine; empty when it can be
};

}  // namespace agpusim::contest
