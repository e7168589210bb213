#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/predict/predict.hpp"
#include "agpusim/validation/records/measurement.hpp"
#include "agpusim/validation/rows/run.hpp"

namespace agpusim {

/// A count of a run beside what is said of it.
struct Quantity {
  std::string name;  ///< T, Q, requests, ...; steps, processors, work
  std::int64_t count = 0;
  std::optional<std::int64_t> formula = {};      ///< by a paper or by theory, where there is one
  std::string stated = {};                       ///< the bound of the row, as text
  std::optional<double> bound = {};              ///< its expression, without its constant
  std::optional<std::int64_t> lower_bound = {};  ///< at least this in every program
};

/// One run and all that is known of it. Nothing of it depends on this host.
struct Row {
  Run run;
  std::string refusal = {};  ///< why it cannot run or be counted; no counts, no prediction then
  bool breaks_rule = false;  ///< whether `refusal` is a RuleViolation, else a UsageError
  std::optional<Counted> counted = {};    ///< on AGPU; none of a row that was kept in a file
  std::vector<Quantity> quantities = {};  ///< empty: not counted
  std::string source = {};  ///< derived, stored, simulated, extrapolated or closed form
  std::int64_t from_n = 0;  ///< n of what was simulated, where the counts are extrapolated
  std::int64_t phases = 0;  ///< launches on AGPU
  LowerBound lower = {};    ///< bound on every AGPU program of the problem
  std::string device = {};  ///< device that the time is predicted of; empty: none
  std::optional<Prediction> predicted = {};
  std::string why_not_predicted = {};  ///< reason why the device cannot hold the run
  /// As a compiler made the kernels, where the prediction is from them.
  std::vector<PhaseReport> compiled = {};
  const TimingRecord* record = nullptr;  ///< the latest of this run
  std::optional<Measurement> measured = {};
  std::string key = {};  ///< text of run and constants and, where it was simulated, of its kernels

  [[nodiscard]] std::int64_t n() const { return run.config.n; }
  /// Null where there is none of this name.
  [[nodiscard]] const Quantity* find(std::string_view quantity) const;
  /// Count of a quantity that find() finds.
  [[nodiscard]] std::int64_t count(std::string_view quantity) const {
    return find(quantity)->count;
  }
  /// Throws the refusal, if there is one: UsageError or RuleViolation.
  void require_counted() const;
  /// Whether the result that was simulated, if one was, is that of the record.
  [[nodiscard]] bool agrees_with(std::uint64_t checksum) const {
    return !counted || !counted->checksum || *counted->checksum == checksum;
  }
};

}  // namespace agpusim
