#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/commands/validate/coverage.hpp"
#include "agpusim/validation/predict/predict.hpp"
#include "agpusim/validation/rows/row.hpp"

/// How well times of runs that the model was not fitted to are predicted: the protocol of
/// docs/reference/accuracy.md, written down before the fit.
namespace agpusim::protocol {

/// One timed run with what the model needs to predict it.
struct FitRow : Row {
  std::string style = {};    ///< rows of one style are left out together
  std::string problem = {};  ///< one text for runs with one result: key of the contests

  /// Phases from which the time is predicted.
  [[nodiscard]] const std::vector<PhaseReport>& launches() const {
    return compiled.empty() ? counted->report.phases : compiled;
  }
  [[nodiscard]] std::vector<PhaseTerms> terms(const DeviceFile& on,
                                              const FittedConstants& fitted = {}) const {
    return terms_of(run.config.spec, launches(), on, fitted);
  }
};

/// Timed rows of one kind of records, for example those of the analysis.
struct RowSet {
  std::string name;
  std::vector<FitRow> rows;
};

/// The quality of predictions.
struct Score {
  std::int64_t rows = 0;
  double mape = 0;       ///< mean of |predicted / measured - 1|
  double median = 0;     ///< median of |predicted / measured - 1|
  double p90 = 0;        ///< 90 % quantile of |predicted / measured - 1|
  double within_10 = 0;  ///< share of rows whose error is at most 10 %
  double worst = 0;      ///< largest
  double spearman = 0;   ///< rank correlation; NaN for fewer than two different values
};

/// Throws std::invalid_argument without rows.
[[nodiscard]] Score score_of(const std::vector<double>& predicted,
                             const std::vector<double>& measured);

/// Pairs of runs with one result and type whose times differ by more than 10 %, and in how many the
/// faster one is predicted to be the faster one.
struct Contests {
  std::int64_t pairs = 0;
  std::int64_t right = 0;
};
[[nodiscard]] Contests contests_of(const std::vector<FitRow>& rows,
                                   const std::vector<double>& predicted);

/// How well the sizes are predicted from which on another program is the faster one. Programs are
/// algorithm, variant and machine, each with its fastest parameters; of two with the same results
/// whose measured order changes once.
struct Crossings {
  std::int64_t measured = 0;
  std::int64_t predicted = 0;  ///< crossings whose predicted order changes once, too
  double octaves = 0;          ///< median of |log2(predicted n / measured n)| of those
};
[[nodiscard]] Crossings crossings_of(const std::vector<FitRow>& rows,
                                     const std::vector<double>& predicted);

/// Milliseconds of a row, as a function of the fitted constants.
using Milliseconds = std::function<double(const FittedConstants&)>;
using Predictor = std::function<Milliseconds(const FitRow&)>;

/// The model, on a device.
[[nodiscard]] Predictor model_on(const DeviceFile& device);

/// The constants that make the mean of |log(predicted / measured)| of `rows` smallest, searched
/// from `from`; null: from the start values of the protocol.
[[nodiscard]] FittedConstants fit(const std::vector<const FitRow*>& rows, const Predictor& predict,
                                  const FittedConstants* from = nullptr);

/// The mean error when a constant is wrong.
struct Moved {
  std::string name;
  double less = 0;  ///< MAPE with 0.8 times the constant
  double more = 0;  ///< with 1.2 times
};
/// How errors move with every constant on which predictions depend.
[[nodiscard]] std::vector<Moved> moved_constants(const std::vector<const FitRow*>& rows,
                                                 const DeviceFile& device,
                                                 const FittedConstants& fitted);

/// One line of the result: which rows were predicted, by constants fitted to which.
struct Line {
  std::string predicted;
  std::string fitted_to;  ///< empty: nothing is fitted
  Score score;
};

/// Training rows predicted by the model without one of its terms or constants, fitted to them.
[[nodiscard]] std::vector<Line> ablation(const std::vector<const FitRow*>& rows,
                                         const DeviceFile& device);

/// A row of the training rows, predicted by constants that are fitted to the other algorithms.
struct HeldOut {
  std::string algorithm;
  double n = 0;
  double measured_ms = 0;
  double predicted_ms = 0;
};

struct Validation {
  std::vector<Line> lines;           ///< the splits and the blind sets
  std::vector<Line> by_algorithm;    ///< each left out
  std::vector<Line> by_family;       ///< each left out
  std::vector<HeldOut> held_out;     ///< the rows of by_algorithm
  std::int64_t compiled_rows = 0;    ///< rows that are predicted from compiled kernels
  std::vector<Line> baselines;       ///< simpler models on the rows left out
  Contests contests;                 ///< pairs of the rows left out
  FittedConstants constants;         ///< fitted to all training rows
  std::vector<double> prologues;     ///< scalar instructions of a warp, of each profiled kernel
  Crossings crossings;               ///< changes of order among the rows left out
  std::vector<Moved> moved;          ///< moved constants of the training rows, fitted to them
  std::vector<Line> ablation;        ///< training rows, the model without a term fitted anew
  std::vector<Coverage> intervals;   ///< by rows left out and by sets that are not fitted to
  std::vector<std::string> refused;  ///< records without counts, and why
};

struct Options {
  bool ablation = false;
  std::function<void(const std::string& label)> progress;
};

/// Training rows: the records of the analysis and of the table. What the experiments measured on
/// other days is kept apart. Throws what the readers throw.
[[nodiscard]] Validation run(const Registry& registry, const DeviceFile& device,
                             const Options& options);

}  // namespace agpusim::protocol
