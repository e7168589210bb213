#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "agpusim/commands/analyze/analysis.hpp"

namespace agpusim {

/// The resources that a prediction may name as its limit, and what takes the time there.
[[nodiscard]] const std::vector<std::pair<std::string, std::string>>& limit_texts();

/// The resource that limits most of the rows. Of several with equally many: `before`, where it is
/// one of them, else the first in the order of limit_texts().
[[nodiscard]] std::string limit_of(const std::vector<const AnalysisRow*>& rows,
                                   const std::string& before = {});

/// Neighbouring sizes with one limit.
struct LimitStretch {
  std::string limit;
  std::int64_t first = 0;  ///< n
  std::int64_t last = 0;   ///< n
};

/// What limits from the smallest n to the largest: at each n limit_of the rows of that n, `before`
/// the limit of the next smaller n.
[[nodiscard]] std::vector<LimitStretch> limits_by_size(const std::vector<const AnalysisRow*>& rows);

/// "launch, bandwidth"; of more than can be listed "changes among launch, latency, bandwidth", each
/// once.
[[nodiscard]] std::string limits_text(const std::vector<std::string>& limits);

/// One sentence: which resource takes most of the predicted time at which n; of more stretches than
/// can be listed the limit of most rows.
[[nodiscard]] std::string limiting_sentence(const std::vector<AnalysisRow>& rows);

}  // namespace agpusim
