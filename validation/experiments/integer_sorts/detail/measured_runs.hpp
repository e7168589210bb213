#pragma once

#include <map>
#include <string>
#include <vector>

#include "agpusim/validation/records/record.hpp"

namespace agpusim::detail {

/// The latest record of each run, by config_to_json. The records must outlive the result.
[[nodiscard]] std::map<std::string, const TimingRecord*> latest_by_run(
    const std::vector<TimingRecord>& records);

/// The environment of the first record. Throws UsageError when there is none or another record is
/// of another device.
[[nodiscard]] const Environment& only_environment(const std::vector<TimingRecord>& records);

}  // namespace agpusim::detail
