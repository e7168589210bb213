#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "agpusim/validation/records/record.hpp"

namespace agpusim {

/// The 8-bit digits that a run of cub_radix_sort sorts by, which is the number of its passes over
/// the keys: 4 for "all_bits", else those of the bits on which the values of the range differ.
[[nodiscard]] std::int32_t cub_radix_passes(const RunConfig& config);

/// Time of cub::DeviceRadixSort by number of passes and n: calibrated by runs of its own, not
/// counted. Uniform keys; the time of other keys differs by up to a quarter.
class CubRadixModel {
 public:
  /// From records of cub_radix_sort; others are ignored. Of several records of one size and number
  /// of passes the one with the latest date counts.
  explicit CubRadixModel(const std::vector<TimingRecord>& calibration);

  /// Milliseconds, between neighbouring sizes linear in lg time over lg n; nothing outside the
  /// calibrated sizes.
  [[nodiscard]] std::optional<double> milliseconds(const RunConfig& config) const;

 private:
  std::map<std::int32_t, std::map<std::int64_t, double>> medians_;  // ms by passes and n
};

}  // namespace agpusim
