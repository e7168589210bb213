#pragma once

#include <nlohmann/json.hpp>

#include "agpusim/model/agpu/report.hpp"
#include "agpusim/model/pram/run.hpp"

/// JSON of what several reports show.
namespace agpusim::detail {

[[nodiscard]] nlohmann::ordered_json encode(const PramForm& form);

/// Null where nothing is known to differ.
[[nodiscard]] nlohmann::ordered_json encode(const Differences& differences);

/// The measures of a run without its steps.
[[nodiscard]] nlohmann::ordered_json encode_measures(const PramReport& report);
/// What each of them means, in words.
[[nodiscard]] nlohmann::ordered_json encode_meanings();

/// Every count by its name.
[[nodiscard]] nlohmann::ordered_json encode(const Counts& counts);

/// The totals of a run on AGPU without its phases.
[[nodiscard]] nlohmann::ordered_json encode_totals(const RunReport& agpu);

}  // namespace agpusim::detail
