#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/analysis/analysis.hpp"

namespace agpusim::detail {

/// What the model says of one run.
struct Evaluation {
  const Algorithm* algorithm = nullptr;
  std::vector<PhaseForm> phases;  ///< simulated, else of the closed form
  std::int64_t time = 0;          ///< T; from the longest tasks where the closed form has none
  bool simulated = false;
  std::vector<std::string> differences;   ///< simulation against closed form
  std::optional<std::uint64_t> checksum;  ///< of the result; none when nothing was run
  ChecksumSource checksum_source = ChecksumSource::none;
};

/// The row and the closed form of a run.
struct Outline {
  const Algorithm* algorithm = nullptr;
  std::vector<PhaseForm> forms;
  double lane_operations = 0;  ///< instructions times b
};

/// Checks that `config` is a complete, possible run of a known algorithm. Throws FileError that
/// names `origin` and the field otherwise.
[[nodiscard]] Outline outline(const Registry& registry, const RunConfig& config,
                              const std::string& origin);

/// Simulates when `options.simulate_limit` allows it. Throws Mismatch when the simulated result is
/// not the reference's.
[[nodiscard]] Evaluation evaluate(const RunConfig& config, const Outline& outline,
                                  const AnalysisOptions& options);

/// Parameters that are not the row's defaults, as ", tile=1024, ..."; empty when there are none.
[[nodiscard]] std::string unusual_parameters(const Algorithm& algorithm, const RunConfig& config);

}  // namespace agpusim::detail
