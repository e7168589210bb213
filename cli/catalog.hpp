#pragma once

#include <string>
#include <vector>

#include "agpusim/algorithms/pram_registry.hpp"
#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

/// The algorithm table of this build.
[[nodiscard]] const Registry& catalog();

[[nodiscard]] std::vector<std::string> algorithm_names();

/// Throws UsageError with the known names and the nearest one when there is none of this name.
[[nodiscard]] const Algorithm& find_algorithm(const std::string& name);

/// The same for the algorithms on a PRAM.
[[nodiscard]] const PramRegistry& pram_catalog();
[[nodiscard]] std::vector<std::string> pram_algorithm_names();
[[nodiscard]] const PramAlgorithm& find_pram_algorithm(const std::string& name);
/// The names of its variants.
[[nodiscard]] std::vector<std::string> variant_names(const PramAlgorithm& algorithm);

}  // namespace agpusim
