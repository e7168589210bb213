#pragma once

#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/cli/agpusim.hpp"

namespace agpusim {

/// The rows that a program of its own adds to the table; called before catalog().
void add_to_catalog(std::vector<OwnAlgorithm> rows);

/// Whether a program of its own added this name.
[[nodiscard]] bool is_own_algorithm(const std::string& name);

/// The style of a row that such a program added; its name where it has none, and of other rows.
[[nodiscard]] std::string style_of(const std::string& name);

/// Their CUDA halves.
[[nodiscard]] CudaRegistry own_cuda();

/// The algorithm table of this build, then the rows of add_to_catalog(). Throws UsageError when one
/// has the name of another.
[[nodiscard]] const Registry& catalog();

[[nodiscard]] std::vector<std::string> algorithm_names();

/// Throws UsageError with the known names and the nearest one when there is none of this name.
[[nodiscard]] const Algorithm& find_algorithm(const std::string& name);

/// Names of the algorithms on a PRAM; find_pram_algorithm throws as find_algorithm does.
[[nodiscard]] std::vector<std::string> pram_algorithm_names();
[[nodiscard]] const Algorithm& find_pram_algorithm(const std::string& name);

}  // namespace agpusim
