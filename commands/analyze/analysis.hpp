#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/ranks/work.hpp"
#include "agpusim/validation/records/device_file.hpp"
#include "agpusim/validation/rows/row.hpp"

namespace agpusim {

/// What to analyze, and how much work to spend.
struct AnalysisOptions {
  std::vector<std::filesystem::path> records;  ///< files or folders; empty: the bundled ones
  std::filesystem::path devices;               ///< folder or file; empty: the bundled ones
  std::vector<std::filesystem::path> counts;   ///< files of StoredCounts, beside the bundled ones
  std::string algorithm;                       ///< empty: all
  std::string device;                          ///< empty: the only one of the records
  std::int64_t n_min = 0;
  std::int64_t n_max = std::numeric_limits<std::int64_t>::max();
  /// Simulate again, and compare, runs of at most so many lane operations whose counts are derived
  /// or stored; 0: none.
  double verify_limit = 0;
  /// Lane operations, all runs together, spent on simulating runs whose counts are not known, the
  /// cheapest first; those of the others are extrapolated.
  double simulate_limit = double{std::int64_t{1} << 30};
  /// Also compare the checksums of runs that are not simulated with the reference (a sequential
  /// run).
  bool verify_all = false;
  int threads = 0;  ///< host threads of the simulation; 0 = one per core
  /// Does the runs that are verified, where other processes have a share in them.
  std::function<void(const ranks::Work&, const ranks::Collector&)> share;
  /// Called before each run with its name and the fraction of the work done, and at the end with 1.
  std::function<void(std::string_view label, double fraction)> progress;
};

/// What the checksum of a record was compared with.
enum class ChecksumSource { simulation, reference, none };

/// One measured run with a prediction, judged. It has neither its record nor the report of counts.
struct AnalysisRow : Row {
  std::vector<std::string> differences = {};  ///< faults_of the row
  ChecksumSource checksum = ChecksumSource::none;
  bool from_kernels = false;  ///< predicted from compiled kernels (cleared), else from counts
  double error = 0;           ///< predicted / measured - 1
};

/// Rows that differ in n and input only, sorted by them.
struct AnalysisGroup {
  std::string family;
  std::string algorithm;
  std::string variant;
  std::string type;
  std::string machine;
  std::string summary;
  std::string bound_time;
  std::string bound_io;
  std::string formula;   ///< a paper's of Q; empty: none
  std::string limiting;  ///< one sentence: which resource limits at which n
  std::vector<AnalysisRow> rows;
  double mape = 0;    ///< mean of |error|
  double median = 0;  ///< median of |error|
};

/// How well the rows of one algorithm and variant, or of one family, were predicted; `error` is
/// |predicted / measured - 1|.
struct Score {
  std::string family;
  std::string algorithm;
  std::string variant;
  std::int64_t algorithms = 0;
  std::int64_t rows = 0;
  std::int64_t n_min = 0;
  std::int64_t n_max = 0;
  std::vector<std::string> limits;  ///< resources that limit most rows of a size, neighbours
                                    ///< different, small n to large
  double ratio = 0;                 ///< median of predicted / measured
  double error_median = 0;
  double error_mean = 0;
  double error_p90 = 0;
  double within = 0;  ///< share of the rows with an error of at most 10 %
};

/// The machine on which an algorithm and variant is predicted worst.
struct WorstMachine {
  std::string algorithm;
  std::string variant;
  std::string machine;
  std::int64_t rows = 0;
  double ratio = 0;  ///< median of predicted / measured
  double error_median = 0;
  std::string limit;   ///< limit of most rows
  std::string reason;  ///< a clause
};

/// Records that cannot be used for one reason.
struct Unusable {
  std::string reason;
  std::int64_t records = 0;
  std::string first;  ///< "file:line" and the run of the first one
};

/// A hardware counter that is not what the model counted.
struct CounterDifference {
  std::string algorithm;
  std::string variant;
  std::int64_t n = 0;
  std::int64_t launch = 0;  ///< index of the phase
  std::string kernel;
  std::string metric;
  std::int64_t simulated = 0;
  std::int64_t measured = 0;
  std::string reason;
};

/// Agreement of one metric over all launches that report it.
struct MetricAgreement {
  std::string metric;
  bool exact = false;  ///< must be equal; otherwise for information
  std::int64_t launches = 0;
  std::int64_t equal = 0;
};

struct CounterSummary {
  std::int64_t launches = 0;
  std::int64_t equal = 0;  ///< launches whose exact metrics all agree
  std::vector<MetricAgreement> metrics;
  std::vector<CounterDifference> differences;  ///< differences of exact metrics
};

/// The counters of one algorithm and variant.
struct CounterGroup {
  std::string algorithm;
  std::string variant;
  CounterSummary summary;
};

struct WorstRow {
  std::string algorithm;
  std::int64_t n = 0;
  double error = 0;  ///< predicted / measured - 1
};

/// Over the rows of all groups. Correlations are absent for fewer than two different values, the
/// rest without rows.
struct AnalysisSummary {
  std::int64_t rows = 0;
  std::optional<double> pearson;   ///< correlation of predicted and measured milliseconds
  std::optional<double> spearman;  ///< rank correlation of predicted and measured milliseconds
  std::optional<double> mape;      ///< mean of |error|
  std::optional<double> median;    ///< median of |error|
  std::optional<double> p90;       ///< 90 % quantile of |error|
  std::optional<double> within;    ///< share of the rows with an |error| of at most 10 %
  std::optional<WorstRow> worst;   ///< largest |error|
};

/// Predicted against measured; the report is made of it.
struct Analysis {
  std::string generated;  ///< ISO 8601, UTC
  DeviceFile device;
  bool verified = false;  ///< what was affordable was simulated again
  std::vector<AnalysisGroup> groups;
  bool bundled = false;         ///< the records are agpusim's own
  std::vector<Score> scores;    ///< one for each algorithm and variant, in the order of the groups
  std::vector<Score> families;  ///< in that order, too; their algorithm and variant are empty
  std::vector<WorstMachine> worst;  ///< the largest median error first
  CounterSummary counters;
  std::vector<CounterGroup> counter_groups;  ///< launches by algorithm and variant
  std::vector<Unusable> unusable;
  AnalysisSummary summary;
};

/// Reads the records, checks each against the model, predicts and compares. Of several records of
/// one run the one with the latest date counts. Damaged records and those that are not of the run
/// they claim are counted as unusable. Throws UsageError when the filters leave nothing or several
/// devices; FileError when no record is usable; Mismatch when the simulation is wrong; what the
/// readers throw.
[[nodiscard]] Analysis analyze(const Registry& registry, const AnalysisOptions& options);

}  // namespace agpusim
