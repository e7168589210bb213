#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agpusim/validation/records/environment.hpp"

namespace agpusim {

/// Why sampling is over ("stable", "max_samples" or "max_seconds"); nothing while it goes on.
[[nodiscard]] std::optional<std::string> why_stop(const std::vector<double>& microseconds,
                                                  const SamplingRule& rule);

}  // namespace agpusim
