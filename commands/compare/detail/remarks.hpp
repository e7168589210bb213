#pragma once

#include <string>
#include <vector>

#include "agpusim/commands/compare/comparison.hpp"

namespace agpusim::contest::detail {

/// What a reader must know to read the result of one machine: who refuses which sizes, what is not
/// predicted, what T is missing, each with its reason and once.
[[nodiscard]] std::vector<std::string> remarks_on(const MachineResult& result,
                                                  const std::vector<Contestant>& contestants);

}  // namespace agpusim::contest::detail
