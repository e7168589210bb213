#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/cli/selection_options.hpp"
#include "agpusim/cli/team.hpp"
#include "agpusim/commands/sweep/sweep_shard.hpp"

namespace agpusim {

/// Where the result of `agpusim sweep` and `agpusim merge` goes.
struct SweepOutput {
  bool fit = false;
  bool laws = false;  ///< print the laws alone
  ReportOutput report;
};

/// The command line of `agpusim sweep`.
struct SweepOptions : SelectionOptions {
  std::map<std::string, std::vector<std::int64_t>> axes;  ///< parameters that are lists
  bool same_program = false;
  bool verify = false;
  std::int64_t simulate_limit = std::int64_t{1} << 28;  ///< lane operations
  std::optional<Shard> shard;                           ///< none: the whole
  TeamOptions team;
  std::string out;  ///< file of points; empty: none is kept
  SweepOutput output;
};

/// The command line of `agpusim merge`.
struct MergeOptions {
  std::vector<std::string> parts;
  std::string out;  ///< file of all points; empty: none
  SweepOutput output;
};

/// Counts every point of the sweep, or of its shard, and prints them. With a file of points it goes
/// on where it was interrupted.
void run_sweep(SweepOptions options);

/// Prints the points of several files as one sweep, or results of `agpusim exec` as one table.
void run_merge(const MergeOptions& options);

}  // namespace agpusim
