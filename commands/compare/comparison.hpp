#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/records/device_file.hpp"
#include "agpusim/validation/rows/row.hpp"
#include "agpusim/validation/rows/selection.hpp"

// Algorithms side by side: counts, predicted and measured times, and where the order changes.
namespace agpusim::contest {

/// What a contestant is run on.
struct Kind {
  std::string type;
  std::string input;

  friend bool operator==(const Kind&, const Kind&) = default;
};

/// The contestants at one n, in their order; programs without a row have no counts.
struct SizeRows {
  std::int64_t n = 0;
  std::vector<Row> entries;
};

/// What contestants are ordered by; less is better.
enum class Measure { time, io, predicted, measured };

/// Every measure, in the order of the tables.
inline constexpr Measure measures[] = {Measure::time, Measure::io, Measure::predicted,
                                       Measure::measured};

/// "T", "Q", "predicted" or "measured".
[[nodiscard]] std::string to_string(Measure measure);

/// Neighbouring sizes with the same winners, among the sizes at which two have a value.
struct Stretch {
  std::vector<std::size_t> winners;  ///< contestants that share the smallest value
  std::int64_t n_first = 0;
  std::int64_t n_last = 0;
};

/// Two neighbouring sizes between which the order of two contestants changes.
struct Crossover {
  std::size_t below = 0;  ///< contestant ahead up to n_below
  std::size_t above = 0;  ///< contestant ahead from n_above on
  std::int64_t n_below = 0;
  std::int64_t n_above = 0;
  /// Where the logarithm of the ratio, linear in the logarithm of n, is 0: interpolated, not
  /// counted or measured. None where a value is 0.
  std::optional<double> n;
  bool resolved = true;  ///< measured: at both sizes the ranges of the two do not overlap
};

/// The order of two contestants by one measure.
struct PairOrder {
  std::size_t first = 0;
  std::size_t second = 0;
  Measure measure = Measure::time;
  std::int64_t sizes = 0;           ///< at which both have a value; one at least
  std::int64_t first_ahead = 0;     ///< sizes at which the first is ahead
  std::int64_t second_ahead = 0;    ///< sizes at which the second is ahead
  std::int64_t not_told_apart = 0;  ///< sizes at which both predicted intervals overlap
  std::vector<Crossover> crossovers;
};

/// How often the measured winner is the one that the counts name, among the contestants that have
/// both values.
struct Agreement {
  Measure by = Measure::predicted;
  std::int64_t sizes = 0;        ///< with two such contestants or more
  std::int64_t right = 0;        ///< the winner is the measured one
  std::int64_t near = 0;         ///< the winner takes at most 5 % more time than the measured one
  std::int64_t undecided = 0;    ///< sizes at which several share the smallest value
  std::int64_t overlapping = 0;  ///< the measured range of another one overlaps that of the fastest
};

/// The comparison on one machine.
struct MachineResult {
  ComparedMachine machine;
  std::vector<SizeRows> rows;                         ///< n ascending; none for a refused machine
  std::map<Measure, std::vector<Stretch>> stretches;  ///< measures with two values at some n
  std::vector<PairOrder> orders;                      ///< pairs in order, measures within
  std::vector<Agreement> agreements;                  ///< with one size at least
  std::vector<std::string> remarks;  ///< who is refused, not predicted, not measured, and why
};

/// The fastest contestant and machine at one n, of two or more.
struct Fastest {
  std::int64_t n = 0;
  std::optional<std::size_t> machine;  ///< none for a program without a row, which has no machine
  std::size_t contestant = 0;
  double ms = 0;
};

/// Everything that text, JSON, CSV and HTML are written from.
struct Comparison {
  std::string generated;  ///< ISO 8601, UTC
  std::vector<Contestant> contestants;
  std::vector<Kind> kinds;    ///< by contestant
  std::vector<bool> has_row;  ///< by contestant: in the algorithm table
  std::uint64_t seed = 1;
  std::vector<MachineResult> machines;
  std::vector<Fastest> fastest_predicted;  ///< over several machines, by n; else empty
  std::vector<Fastest> fastest_measured;
  std::vector<std::string> remarks;  ///< on the comparison as a whole
};

/// What to compare; without a type or an input, on the first that all contestants have.
struct Options : Selection {
  std::vector<TimingRecord> records;  ///< timed runs; of several of one run the latest counts
  bool simulate = false;              ///< simulate every run that is affordable, and compare
  int threads = 0;                    ///< host threads of the simulation; 0: one per core
  /// Throws UsageError for a run that is too large to simulate on this host.
  std::function<void(const RunConfig&)> require_memory = {};
  /// Called before each run with its name and the fraction of the work done.
  std::function<void(std::string_view label, double fraction)> progress = {};
};

/// Compares. A contestant that refuses a machine or a size is left out there, with its reason.
/// Throws UsageError for fewer than two contestants, for two with one label, and when none can run
/// anywhere; FileError that names the record whose checksum is not the simulation's.
[[nodiscard]] Comparison compare(const Registry& registry, const Options& options);

}  // namespace agpusim::contest
