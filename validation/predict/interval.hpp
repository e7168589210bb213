#pragma once

#include <string>

#include "agpusim/validation/predict/predict.hpp"

/// How far the measured time may be from the predicted one.
namespace agpusim {

/// Whether the launch of kernels takes most of the time, which is predicted better.
[[nodiscard]] bool launch_bound(const Prediction& prediction);

/// Measured over predicted time, in 90 % of the runs of algorithms that nothing was fitted to.
struct IntervalFactors {
  double low = 0;
  double high = 0;
};
[[nodiscard]] IntervalFactors interval_factors(PredictedFrom from, bool launch_bound);

/// Sets `low` and `high`.
void add_interval(Prediction& prediction, PredictedFrom from);

/// Milliseconds, for example "0.017 to 0.026".
[[nodiscard]] std::string range_text(double low, double high);
/// range_text of a prediction's interval; empty where that is not known.
[[nodiscard]] std::string interval_text(const Prediction& prediction);

}  // namespace agpusim
