#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/calibrate/device_file.hpp"
#include "agpusim/validation/experiments/integer_sorts/cells.hpp"
#include "agpusim/validation/experiments/integer_sorts/contestants.hpp"
#include "agpusim/validation/experiments/integer_sorts/findings.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim {

/// Measured and foretold time of one contestant in one cell.
struct ExperimentEntry {
  Contestant contestant;
  std::optional<double> measured_ms;  ///< median of the samples
  double measured_low_ms = 0;         ///< 5 % quantile (minimum of fewer than 20 samples)
  double measured_high_ms = 0;        ///< 95 % quantile (maximum of fewer than 20 samples)
  std::int64_t samples = 0;
  std::optional<double> predicted_ms;  ///< none for the paper's pipelines
  std::string limit;                   ///< what limits it by the counts; "calibrated" for CUB
};

/// Who is fastest in a cell among one form of CUB and our sorts.
struct ExperimentVerdict {
  std::string predicted_winner;  ///< a sort
  std::string measured_winner;   ///< a sort
  double loss = 0;  ///< measured time of the predicted winner over that of the measured one, - 1
};

/// One cell of the experiment with everyone that takes part.
struct ExperimentRow {
  ExperimentCell cell;
  std::vector<ExperimentEntry> entries;
  std::optional<ExperimentVerdict> against_cub;     ///< CUB sorts by all 32 bits, as in the paper
  std::optional<ExperimentVerdict> against_fitted;  ///< CUB sorts by the bits of the range
};

/// How often the predicted winner is the measured one; inputs of two families count once.
struct ExperimentScore {
  std::string peer;        ///< "CUB" or "CUB fitted"
  std::int64_t cells = 0;  ///< with a complete prediction and measurement
  std::int64_t right = 0;
  std::int64_t near = 0;           ///< right, or the predicted winner is within 5 % of the fastest
  std::int64_t side = 0;           ///< the peer is predicted fastest where it is, and only there
  std::optional<double> spearman;  ///< of predicted and measured ratio (our H-P / peer)
};

/// The experiment of seed 000 on one device; every writer reads this struct.
struct Experiment {
  Environment environment;
  std::string generated;  ///< ISO 8601, UTC
  std::vector<ExperimentRow> rows;
  std::vector<ExperimentScore> scores;
  std::vector<Finding> findings;
  std::int64_t unmeasured = 0;   ///< runs of the plan without a record
  std::int64_t unpredicted = 0;  ///< runs of our rows whose counts nobody knows
  std::int64_t foreign = 0;      ///< records of no run of the plan
};

struct ExperimentOptions {
  std::vector<TimingRecord> records;
  std::vector<TimingRecord> calibration;  ///< of CUB radix sort
  DeviceFile device;
  ExperimentMachines machines;
  CellChoice cells;
  int threads = 0;  ///< 0 = one per core
  /// Called now and then with the fraction of the work done.
  std::function<void(double fraction)> progress;
};

/// Compares records with predictions, cell by cell. Of several records of one run the one with the
/// latest date counts. Throws Mismatch that names cell and contestants when two results of a cell
/// differ; UsageError when there is no record or the records are of several devices.
[[nodiscard]] Experiment kozakai_experiment(const Registry& registry,
                                            const ExperimentOptions& options);

/// Shortest time of a team's sort in a row, over its contestants; nothing when one of those that
/// take part lacks it.
[[nodiscard]] std::optional<double> measured_ms(const ExperimentRow& row, Team team,
                                                const std::string& sort);
[[nodiscard]] std::optional<double> predicted_ms(const ExperimentRow& row, Team team,
                                                 const std::string& sort);

}  // namespace agpusim
