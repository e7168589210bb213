#include <array>
#include <cmath>
#include <numeric>
#include <unsupported/Eigen/NonLinearOptimization>
#include <unsupported/Eigen/NumericalDiff>

#include <Eigen/Core>

#include "agpusim/validation/protocol/protocol.hpp"

namespace agpusim::protocol {
namespace {

/// The constants, all positive: `x` are logarithms of their ratios to the start values.
FittedConstants constants_of(const Eigen::VectorXd& x) {
  FittedConstants fitted;
  for (std::size_t i = 0; i < fitted_constants.size(); ++i) {
    fitted.*fitted_constants[i].value =
        fitted_constants[i].start * std::exp(x(static_cast<Eigen::Index>(i)));
  }
  return fitted;
}

/// The weighted relative errors (as logarithms) of the predicted times, and how far the constants
/// are from their starts.
struct Residuals {
  /// Mean error, in percent / 100, that a constant e times its start must save.
  static constexpr double reluctance = 0.02;

  using Scalar = double;
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  const std::vector<const Row*>& rows;
  const Predictor& predict;
  Eigen::VectorXd weights;

  [[nodiscard]] int inputs() const { return static_cast<int>(fitted_constants.size()); }
  [[nodiscard]] int values() const { return static_cast<int>(rows.size()) + inputs(); }

  [[nodiscard]] Eigen::VectorXd errors(const Eigen::VectorXd& x) const {
    const FittedConstants fitted = constants_of(x);
    Eigen::VectorXd result(static_cast<Eigen::Index>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      result(static_cast<Eigen::Index>(i)) =
          std::log(predict(*rows[i], fitted) / rows[i]->measured_ms);
    }
    return result;
  }

  int operator()(const Eigen::VectorXd& x, Eigen::VectorXd& residuals) const {
    residuals << weights.cwiseSqrt().cwiseProduct(errors(x)),
        std::sqrt(reluctance * static_cast<double>(rows.size())) * x;
    return 0;
  }
};

}  // namespace

/// Iteratively reweighted least squares: with the weights 1 / max(|e|, rounding) of the last
/// round's errors e, the squares add up to the sum of |e| (Huber's loss), so that single rows far
/// off do not decide. The first round has equal weights. A constant that the rows say little of
/// stays near its start.
FittedConstants fit(const std::vector<const Row*>& rows, const Predictor& predict) {
  constexpr double rounding = 0.03;
  constexpr int rounds = 4;
  Residuals residuals{rows, predict, Eigen::VectorXd::Ones(static_cast<Eigen::Index>(rows.size()))};
  Eigen::VectorXd x = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(fitted_constants.size()));
  for (int round = 0; round < rounds; ++round) {
    Eigen::NumericalDiff<Residuals> with_slopes(residuals, 1e-6);
    Eigen::LevenbergMarquardt<Eigen::NumericalDiff<Residuals>> solver(with_slopes);
    solver.parameters.maxfev = 60;
    solver.parameters.ftol = 1e-5;
    solver.parameters.xtol = 1e-4;
    solver.minimize(x);
    residuals.weights = residuals.errors(x).cwiseAbs().cwiseMax(rounding).cwiseInverse();
  }
  return constants_of(x);
}

Predictor model_on(const DeviceFile& device) {
  return [device](const Row& row, const FittedConstants& fitted) {
    return combine(terms_of(row.config.spec, row.phases, device, fitted, row.executed), device,
                   fitted)
        .milliseconds;
  };
}

}  // namespace agpusim::protocol
