#pragma once

#include <string>
#include <vector>

#include "agpusim/validation/analysis/analysis.hpp"

namespace agpusim {

/// One sentence: which resource takes most of the predicted time at which n. `rows` are sorted by
/// n.
[[nodiscard]] std::string limiting_sentence(const std::vector<AnalysisRow>& rows);

}  // namespace agpusim
