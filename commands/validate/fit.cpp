#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "agpusim/commands/validate/protocol.hpp"
#include "agpusim/validation/io/least_squares.hpp"

namespace agpusim::protocol {
namespace {

/// Mean error, in percent / 100, that a constant e times its start must save.
constexpr double reluctance = 0.02;

/// The constants, all positive: `x` are logarithms of their ratios to the start values.
FittedConstants constants_of(const std::vector<double>& x) {
  FittedConstants fitted;
  for (std::size_t i = 0; i < fitted_constants.size(); ++i) {
    fitted.*fitted_constants[i].value = fitted_constants[i].start * std::exp(x[i]);
  }
  return fitted;
}

/// The relative errors (as logarithms) of the predicted times.
std::vector<double> errors_of(const std::vector<const FitRow*>& rows,
                              const std::vector<Milliseconds>& predicted,
                              const std::vector<double>& x) {
  const FittedConstants fitted = constants_of(x);
  std::vector<double> errors;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    errors.push_back(std::log(predicted[i](fitted) / rows[i]->measured->ms));
  }
  return errors;
}

}  // namespace

/// Iteratively reweighted least squares: with the weights 1 / max(|e|, rounding) of the last
/// round's errors e, the squares add up to the sum of |e| (Huber's loss), so that single rows far
/// off do not decide. The first round has equal weights. A constant that the rows say little of
/// stays near its start.
FittedConstants fit(const std::vector<const FitRow*>& rows, const Predictor& predict,
                    const FittedConstants* from) {
  constexpr double rounding = 0.03;
  const int rounds = from == nullptr ? 4 : 2;
  std::vector<Milliseconds> predicted;
  for (const FitRow* const row : rows) predicted.push_back(predict(*row));
  std::vector<double> weights(rows.size(), 1);
  std::vector<double> x(fitted_constants.size(), 0);
  const auto weigh = [&] {
    const std::vector<double> errors = errors_of(rows, predicted, x);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      weights[i] = 1 / std::max(std::abs(errors[i]), rounding);
    }
  };
  if (from != nullptr) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = std::log(from->*fitted_constants[i].value / fitted_constants[i].start);
    }
    weigh();
  }
  for (int round = 0; round < rounds; ++round) {
    x = minimise_squares(
        [&](const std::vector<double>& at) {
          std::vector<double> residuals = errors_of(rows, predicted, at);
          for (std::size_t i = 0; i < rows.size(); ++i) residuals[i] *= std::sqrt(weights[i]);
          for (const double log_ratio : at) {  // how far the constants are from their starts
            residuals.push_back(std::sqrt(reluctance * static_cast<double>(rows.size())) *
                                log_ratio);
          }
          return residuals;
        },
        std::move(x));
    weigh();
  }
  return constants_of(x);
}

Predictor model_on(const DeviceFile& device) {
  return [device](const FitRow& row) -> Milliseconds {
    return [terms = merged(row.terms(device))](const FittedConstants& fitted) {
      return combine(refitted(terms, fitted), fitted).milliseconds;
    };
  };
}

}  // namespace agpusim::protocol
