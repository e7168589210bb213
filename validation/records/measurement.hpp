#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agpusim/validation/records/record.hpp"

namespace agpusim {

/// What was measured of one run; times in milliseconds.
struct Measurement {
  double ms = 0;       ///< median of the samples
  double low_ms = 0;   ///< 5 % quantile (minimum of fewer than 20 samples)
  double high_ms = 0;  ///< 95 % quantile (maximum of fewer than 20 samples)
  std::int64_t samples = 0;
  std::string date;  ///< ISO 8601, UTC
};

/// Summarises samples in microseconds, at least one.
[[nodiscard]] Measurement measurement_of(const std::vector<double>& samples,
                                         const std::string& date);
[[nodiscard]] Measurement measurement_of(const TimingRecord& record);

/// The latest record of each run, by config_to_json; of one device only where it is named. The
/// records must outlive the result.
using RecordsByRun = std::map<std::string, const TimingRecord*>;
[[nodiscard]] RecordsByRun latest_by_run(const std::vector<TimingRecord>& records,
                                         const std::string& device = {});

/// The environment of the first record. Throws UsageError when there is none or another record is
/// of another device.
[[nodiscard]] const Environment& only_environment(const std::vector<TimingRecord>& records);

}  // namespace agpusim
