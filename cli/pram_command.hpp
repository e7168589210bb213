#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "agpusim/cli/selection_options.hpp"
#include "agpusim/model/pram/run.hpp"

namespace agpusim {

/// The command line of `agpusim pram`, without an algorithm: list them. The machine prices on_agpu.
struct PramCommand : SelectionOptions {
  PramCommand() { pram.emplace(); }

  std::optional<std::int64_t> processors;  ///< P of the schedule
  bool work_span = false;
  std::string dot;  ///< file; empty: none
  bool on_agpu = false;
  bool all_variants = false;
  int threads = 0;  ///< 0: one per core
  ReportOutput output;

  /// Whether something is computed from the trace of the run.
  [[nodiscard]] bool needs_trace() const {
    return processors || work_span || !dot.empty() || on_agpu;
  }
};

/// A run that is recorded may have so many operations (PramForm::work): its trace and what is
/// computed from it take about 200 bytes for each.
inline constexpr std::int64_t max_traced_work = std::int64_t{1} << 22;

/// --model, into an access rule.
CLI::Option* add_model(CLI::App& command, std::optional<PramAccess>& access,
                       const std::string& help);

/// The run on a PRAM that the options describe. Throws UsageError for anything it cannot be made
/// of, and for an input that cannot fit this machine's memory.
[[nodiscard]] RunConfig make_pram_config(const SelectionOptions& options);

/// Throws UsageError when a step of the run has more processors than the engine can simulate.
void require_possible(const RunConfig& config, const PramForm& form);

/// Why a run of this work is not recorded, with a remedy; empty: it may be.
[[nodiscard]] std::string trace_refusal(const RunConfig& config, std::int64_t work);

}  // namespace agpusim
