#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "agpusim/commands/analyze/analysis.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim {

/// A hardware counter and the count of the model that it shows.
struct CounterMetric {
  std::string_view name;  ///< Nsight Compute's
  std::string_view what;  ///< for a reader
  std::int64_t (*count)(const Counts&);
  bool exact;  ///< must be equal; otherwise compared for information
};

/// Global I/O, requests, sectors, bank conflicts and wavefronts, for loads and stores each.
[[nodiscard]] const std::array<CounterMetric, 16>& counter_metrics();

/// Adds one launch to the summary. Throws detail::UnusableRecord when the record is of another
/// kernel, of a phase that the run does not have, or holds none of the exact metrics.
void add_launch(CounterSummary& summary, const CounterRecord& record,
                const std::vector<PhaseReport>& phases);

}  // namespace agpusim
