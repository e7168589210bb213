#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/cli/selection_options.hpp"
#include "agpusim/model/pram/run.hpp"

namespace agpusim {

/// The command line of `agpusim pram`, without an algorithm: list them. The machine prices on_agpu.
struct PramCommand : SelectionOptions {
  PramCommand() { pram.emplace(); }

  std::vector<std::int64_t> processors;  ///< P of the schedule, or of each row of the speed-up
  std::optional<double> efficiency;      ///< in percent; the largest P with it is looked for
  bool work_span = false;
  std::string dot;  ///< file; empty: none
  bool on_agpu = false;
  bool all_variants = false;
  int threads = 0;  ///< 0: one per core
  ReportOutput output;

  /// Whether runs on several numbers of processors are compared.
  [[nodiscard]] bool needs_speed_up() const { return processors.size() > 1 || efficiency; }

  /// Whether something is computed from the trace of the run.
  [[nodiscard]] bool needs_trace() const {
    return !processors.empty() || efficiency || work_span || !dot.empty() || on_agpu;
  }
};

/// Why a run of this work is not recorded, with a remedy; empty: it may be.
[[nodiscard]] std::string trace_refusal(const RunConfig& config, std::int64_t work);

/// Runs every variant of the algorithm on its own machine and prints one table: what each machine
/// buys. Then throws Mismatch when a result or a count is not what it should be.
void run_all_variants(const Algorithm& algorithm, const PramCommand& command);

}  // namespace agpusim
