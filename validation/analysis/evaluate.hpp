#pragma once

#include <string>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/analysis/analysis.hpp"
#include "agpusim/validation/counts/counts.hpp"

namespace agpusim::detail {

/// The row of a recorded run. Checks that `config` is a complete, possible run of a known
/// algorithm; throws FileError that names `origin` and the field otherwise.
[[nodiscard]] const Algorithm& row_of(const Registry& registry, const RunConfig& config,
                                      const std::string& origin);

/// Parameters that are not the row's defaults, as ", tile=1024, ..."; empty when there are none.
[[nodiscard]] std::string unusual_parameters(const Algorithm& algorithm, const RunConfig& config);

}  // namespace agpusim::detail
