#pragma once

#include <stdexcept>
#include <string>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim::detail {

/// Why a record cannot be used.
struct UnusableRecord : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The row of a recorded run. Throws UnusableRecord unless `config` is a complete, possible run of
/// a known algorithm.
[[nodiscard]] const Algorithm& row_of(const Registry& registry, const RunConfig& config);

/// Parameters that are not the row's defaults, as ", tile=1024, ..."; empty when there are none.
[[nodiscard]] std::string unusual_parameters(const Algorithm& algorithm, const RunConfig& config);

}  // namespace agpusim::detail
