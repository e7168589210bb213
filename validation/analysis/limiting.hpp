#pragma once

#include <string>
#include <utility>
#include <vector>

#include "agpusim/validation/analysis/analysis.hpp"

namespace agpusim {

/// The resources that a prediction may name as its limit, and what takes the time there.
[[nodiscard]] const std::vector<std::pair<std::string, std::string>>& limit_texts();

/// One sentence: which resource takes most of the predicted time at which n. `rows` are sorted by
/// n.
[[nodiscard]] std::string limiting_sentence(const std::vector<AnalysisRow>& rows);

}  // namespace agpusim
