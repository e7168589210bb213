#pragma once

#include <nlohmann/json.hpp>

#include "agpusim/validation/pipeline/plan.hpp"

namespace agpusim::out_of_core::detail {

/// The JSON of a plan without its operations.
[[nodiscard]] nlohmann::ordered_json summary_json(const Plan& plan);

}  // namespace agpusim::out_of_core::detail
