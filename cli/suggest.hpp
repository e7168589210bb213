#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agpusim/model/error.hpp"

namespace agpusim {

/// The known name that `word` most likely meant: a near miss by edit distance, or a beginning.
[[nodiscard]] std::optional<std::string> nearest(const std::string& word,
                                                 const std::vector<std::string>& known);

/// For example "unknown machine 'h20': did you mean 'h200'? Known: h200, h200-wide, textbook".
[[nodiscard]] UsageError unknown_name(const std::string& thing, const std::string& word,
                                      const std::vector<std::string>& known);

}  // namespace agpusim
