#pragma once

#include "agpusim/model/agpu/report.hpp"
#include "agpusim/validation/io/json.hpp"

/// JSON of what a phase costs. Included by .cpp files only.
namespace agpusim::detail {

/// The numbers in the order of the struct.
[[nodiscard]] Json encode_list(const Counts& counts);
[[nodiscard]] Json encode(const PhaseReport& phase);

/// Each throws JsonError for another text.
[[nodiscard]] Counts decode_counts(const Json& json);
[[nodiscard]] PhaseReport decode_phase(const Json& json);

}  // namespace agpusim::detail
