#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/counts/compare_reports.hpp"
#include "agpusim/validation/counts/stored_counts.hpp"

namespace agpusim {

/// Where the counts of a run come from.
enum class CountSource : std::uint8_t {
  derived,       ///< from one task of each class: exact for every n
  stored,        ///< simulated, or derived at length, once and kept: exact
  simulated,     ///< just now: exact
  extrapolated,  ///< from a smaller n by the law of the row's bound: an estimate
};

/// For example "derived".
[[nodiscard]] const char* to_string(CountSource source);

/// The counts of a run and where they come from.
struct Counted {
  RunReport report;
  CountSource source = CountSource::derived;
  std::optional<std::uint64_t> checksum;  ///< digest of the result, where it was simulated
  CountDifferences differences;           ///< simulation against the counts known before it
  std::int64_t from_n = 0;  ///< where the counts are extrapolated: n of what was counted
};

/// The counts of a run as a text for another process, and the inverse.
[[nodiscard]] std::string to_text(const RunConfig& config, const Counted& counted);
[[nodiscard]] Counted counted_from(const std::string& text);

struct CountOptions {
  const StoredCounts* stored = nullptr;  ///< none: nothing is stored
  /// Most lane operations of a simulation, by its estimate.
  double simulate_limit = double{std::int64_t{1} << 30};
  std::optional<double> operations = {};  ///< known estimate of the run's lane operations
  bool extrapolate = true;  ///< whether counts that cannot be simulated are extrapolated
  /// Simulate what is affordable even where counts are derived or stored, and compare.
  bool verify = false;
  int threads = 0;  ///< host threads; 0 = all cores
  /// Called before a simulation; throws UsageError where this host has not the memory.
  std::function<void(const RunConfig&)> require_memory = {};
  decltype(SimulationOptions::progress) progress = {};
};

/// The counts of a resolved run without a simulation: stored, else derived, else nothing.
[[nodiscard]] std::optional<Counted> exact_counts(const Algorithm& algorithm,
                                                  const RunConfig& config,
                                                  const StoredCounts* stored);

/// A row of a table whose `derive` first holds what its kernels say of their cost to simulations,
/// once for each form, input, machine and choice of parameters, at sizes up to one of a dozen tasks
/// in every phase. Throws Mismatch that says what to change in a kernel.
[[nodiscard]] Algorithm with_checked_claims(Algorithm row);

/// The counts of a resolved run: exact_counts, else simulated where that is affordable, else
/// extrapolated from the nearest stored run of fewer elements, else from a simulation of one.
/// Throws Mismatch when a simulated result differs from the reference's; UsageError where none of
/// it is possible.
[[nodiscard]] Counted count(const Algorithm& algorithm, const RunConfig& config,
                            const CountOptions& options);

/// The time of the longest task, summed over phases: about what a derivation runs of each class.
[[nodiscard]] std::int64_t time_of_tasks(const RunReport& report);

/// Issued warp instructions times b.
[[nodiscard]] double lane_operations(const RunReport& report);

/// Lane operations that a simulation of a resolved run takes, about: those of a small run
/// (scaled_down) and the larger growth, that between two small runs or that of the time bound.
/// Cheap for every run; throws RuleViolation where a small run breaks a rule.
[[nodiscard]] double estimated_lane_operations(const Algorithm& algorithm, const RunConfig& config);

/// A run with `n` elements that else equals `config`: defaults of parameters are those of `n`.
/// Nothing where the row refuses it.
[[nodiscard]] std::optional<RunConfig> with_size(const Algorithm& algorithm,
                                                 const RunConfig& config, std::int64_t n);

/// with_size of at most `n` elements, and no parameter (a range of keys, say) above the larger of n
/// and 2^16 where the row takes that.
[[nodiscard]] std::optional<RunConfig> scaled_down(const Algorithm& algorithm,
                                                   const RunConfig& config, std::int64_t n);

}  // namespace agpusim
