#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "agpusim/papers/common/contest.hpp"

namespace agpusim::statistics_experiment {

/// GB/s that floors are stated with.
struct PanelBandwidth {
  double read = 0;     ///< the larger of the device file's and what a program of the panels reached
  std::string reader;  ///< where `read` comes from
  double copy = 0;     ///< read plus written, of the device file
};

[[nodiscard]] PanelBandwidth bandwidth_of(const contest::Contest& contest,
                                          const DeviceFile& device);

/// Microseconds that what must be moved takes.
[[nodiscard]] double floor_us(const contest::Event& event, const PanelBandwidth& bandwidth);

/// Milliseconds of the first program of the panel.
[[nodiscard]] std::optional<double> library_ms(const contest::Event& event);

}  // namespace agpusim::statistics_experiment
