#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/cli/machine_options.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/model/pram/run.hpp"

namespace agpusim {

/// The command line of `agpusim pram`; an empty text means the default.
struct PramCommand {
  std::string algorithm;  ///< empty: list them
  std::string n;          ///< may be empty with an input that gives its values
  std::string variant;
  std::string input;
  std::string seed = "1";
  std::vector<std::string> set;  ///< NAME=VALUE each
  std::string access;            ///< --model; empty: the variant's own machine
  std::string sum = "values";
  std::string word_bits = "64";
  std::string reads_per_step = "2";
  std::string max_processors = "0";
  std::string processors;  ///< P of the schedule; empty: none
  bool work_span = false;
  std::string dot;  ///< file; empty: none
  bool on_agpu = false;
  MachineOptions machine;  ///< that on_agpu prices on
  bool all_variants = false;
  std::string threads = "0";
  ReportOutput output;

  /// Whether something is computed from the trace of the run.
  [[nodiscard]] bool needs_trace() const {
    return !processors.empty() || work_span || !dot.empty() || on_agpu;
  }
};

/// A run that is recorded may have so many operations (PramForm::work): its trace and what is
/// computed from it take about 200 bytes for each.
inline constexpr std::int64_t max_traced_work = std::int64_t{1} << 22;

/// The access rule of a name as in PramCommand::access. Throws UsageError with the known names.
[[nodiscard]] PramAccess parse_model(const std::string& word);

/// The run that the options describe, with the given variant. Throws UsageError for anything it
/// cannot be made of, and for an input that cannot fit this machine's memory.
[[nodiscard]] RunConfig make_pram_config(const Algorithm& algorithm, const PramCommand& command,
                                         const std::string& variant);

/// Throws UsageError when a step of the run has more processors than the engine can simulate.
void require_possible(const RunConfig& config, const PramForm& form);

/// Why a run of this work is not recorded, with a remedy; empty: it may be.
[[nodiscard]] std::string trace_refusal(const RunConfig& config, std::int64_t work);

}  // namespace agpusim
