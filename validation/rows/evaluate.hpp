#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/ranks/work.hpp"
#include "agpusim/validation/records/measurement.hpp"
#include "agpusim/validation/rows/row.hpp"

namespace agpusim {

/// Rows that were counted before, by Row::key without its kernels (kept_key).
using KeptRows = std::unordered_multimap<std::string, Row>;

/// The phases of a run as a compiler made its kernels, whose counts are `report`: stored ones, or
/// run now. Empty where they are not at hand as PTX, where executing them takes more than a second
/// or so, and where costs of a bundled one depend on data.
[[nodiscard]] std::vector<PhaseReport> phases_of_kernels(const Algorithm& algorithm,
                                                         const RunConfig& config,
                                                         const RunReport& report);

/// What rows are made from.
struct Sources {
  CountOptions counting = {.stored = &bundled_counts()};
  const RecordsByRun* records = nullptr;  ///< records of the predicted devices; null: none
  const KeptRows* kept = nullptr;         ///< not simulated again, while their kernels are the same
};

/// Counts that take no simulation, of bundled runs.
[[nodiscard]] Sources known_only();

/// The work on a list of runs.
struct Schedule {
  int threads = 0;  ///< host threads of this process; 0: one per core
  /// Lane operations, all runs together, spent on runs whose counts are not known, the cheapest
  /// first; then only those below 2^22 are simulated.
  double all = std::numeric_limits<double>::infinity();
  /// Called before each run of a row with its name and the fraction of them that was begun.
  std::function<void(std::string_view name, double fraction)> progress = {};
  std::function<void(Row&)> done = {};  ///< with each row, one at a time; may strip it
  std::function<void()> save = {};      ///< keeps the rows, before this process is at risk
  std::function<bool()> stop = {};      ///< asked before each run; true: leave out the rest
  /// Lets other processes have a share of the runs; empty: this one does all.
  std::function<void(const ranks::Work&, const ranks::Collector&)> share = {};
};

/// All that is known of a run: the only caller of counting, prediction, residency and the records'
/// look-up. What cannot run or be counted is a row with its refusal. Throws Mismatch when a
/// simulation differs from its reference.
[[nodiscard]] Row evaluate(const Run& run, const Sources& sources);

/// The rows of runs, in their order, without those that `stop` left out. The large ones are begun
/// first. The runs must outlive a share of other processes.
[[nodiscard]] std::vector<Row> evaluate(const std::vector<Run>& runs, const Sources& sources,
                                        const Schedule& schedule);

/// The runs in the order in which they are begun.
[[nodiscard]] std::vector<std::size_t> largest_first(const std::vector<Run>& runs);

/// The key of a run and the constants that predict it: Row::key but for its kernels.
[[nodiscard]] std::string kept_key(const Run& run);
/// The part of a row's key that is kept_key(Run) of its run.
[[nodiscard]] std::string kept_key(const std::string& row_key);
/// What a row's key begins with: Run::key.
[[nodiscard]] std::string run_key(const std::string& row_key);

/// The program, its run and the device: equal of two rows that are of one run, whatever the state
/// of kernels and constants that they were made in.
[[nodiscard]] std::string identity(const Row& row);
[[nodiscard]] std::string identity(const Run& run);
/// A digest of the identities of all runs, in their order.
[[nodiscard]] std::string digest_of(const std::vector<Run>& runs);

/// For example "scan with n = 2^20 on AGPU(...)".
[[nodiscard]] std::string name_of(const Run& run);

}  // namespace agpusim
