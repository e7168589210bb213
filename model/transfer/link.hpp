#pragma once

#include <cstdint>

namespace agpusim::transfer {

/// One direction of the link between host and device: a copy of x bytes takes
/// latency + x / bytes_per_second (alpha + beta·x).
struct Direction {
  double latency = 0;           ///< alpha, seconds
  double bytes_per_second = 0;  ///< 1 / beta

  [[nodiscard]] double seconds(std::int64_t bytes) const {
    return latency + static_cast<double>(bytes) / bytes_per_second;
  }
  bool operator==(const Direction&) const = default;
};

/// The link of an AGPU with host-device transfers (theory 6.2, extension X2).
struct LinkSpec {
  Direction in;     ///< host to device
  Direction out;    ///< device to host
  double both = 0;  ///< most bytes per second of both directions together; 0: their sum
  double host = 0;  ///< most bytes per second of host memory, shared by all that use it;
                    ///< 0: no limit
  std::int32_t copy_engines = 2;  ///< 1: copies of both directions wait for each other

  bool operator==(const LinkSpec&) const = default;
};

/// Throws UsageError that names the field: bandwidths must be positive and finite, latencies not
/// negative, copy engines 1 or 2.
void validate(const LinkSpec& link);

}  // namespace agpusim::transfer
