#pragma once

#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

/// The algorithm table of this build.
[[nodiscard]] const Registry& catalog();

[[nodiscard]] std::vector<std::string> algorithm_names();

/// Throws UsageError with the known names and the nearest one when there is none of this name.
[[nodiscard]] const Algorithm& find_algorithm(const std::string& name);

}  // namespace agpusim
