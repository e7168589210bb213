#include "agpusim/validation/measure/sampling.hpp"

#include <cmath>
#include <numeric>

namespace agpusim {

std::optional<std::string> why_stop(const std::vector<double>& microseconds,
                                    const SamplingRule& rule) {
  const auto count = static_cast<double>(microseconds.size());
  const double sum = std::accumulate(microseconds.begin(), microseconds.end(), 0.0);
  if (microseconds.size() >= 2 && count >= rule.min_samples) {
    const double mean = sum / count;
    double squares = 0;
    for (const double sample : microseconds) squares += (sample - mean) * (sample - mean);
    const double standard_error = std::sqrt(squares / (count - 1) / count);
    if (standard_error < rule.relative_error * mean) return "stable";
  }
  if (count >= rule.max_samples) return "max_samples";
  if (sum >= 1e6 * rule.max_seconds) return "max_seconds";
  return std::nullopt;
}

}  // namespace agpusim
