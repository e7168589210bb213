#include <array>
#include <cmath>
#include <numeric>
#include <unsupported/Eigen/NonLinearOptimization>
#include <unsupported/Eigen/NumericalDiff>

#include <Eigen/Core>

#include "agpusim/validation/protocol/protocol.hpp"

namespace agpusim::protocol {
namespace {

/// A fitted constant with the value that the fit starts from: what probes suggest.
struct Start {
  double FittedConstants::*constant;
  double value;
};

constexpr std::array<Start, 8> starts = {{
    {&FittedConstants::first_launch, 2.85},
    {&FittedConstants::further_launch, 1.4},
    {&FittedConstants::cold_start, 0.45},
    {&FittedConstants::prologue_instructions, 90},
    {&FittedConstants::prologue_cycles, 6},
    {&FittedConstants::line_latency, 60},
    {&FittedConstants::overlap, 2},
    {&FittedConstants::overlap_growth, 0.1},
}};

/// The constants as multiples of their start values.
FittedConstants constants_of(const Eigen::VectorXd& x) {
  FittedConstants fitted;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    fitted.*starts[i].constant = starts[i].value * std::abs(x(static_cast<Eigen::Index>(i)));
  }
  return fitted;
}

/// Residuals whose squares add up to about twice the sum of |log(predicted / measured)|: quadratic
/// below `rounding`, linear above (pseudo-Huber).
struct Residuals {
  using Scalar = double;
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  const std::vector<const Row*>& rows;
  const DeviceFile& device;

  [[nodiscard]] int inputs() const { return static_cast<int>(starts.size()); }
  [[nodiscard]] int values() const { return static_cast<int>(rows.size()); }

  int operator()(const Eigen::VectorXd& x, Eigen::VectorXd& residuals) const {
    constexpr double rounding = 0.03;
    const FittedConstants fitted = constants_of(x);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double e = std::log(predicted_ms(*rows[i], device, fitted) / rows[i]->measured_ms);
      const double huber = rounding * (std::sqrt(1 + e * e / (rounding * rounding)) - 1);
      residuals(static_cast<Eigen::Index>(i)) = std::copysign(std::sqrt(2 * huber), e);
    }
    return 0;
  }
};

}  // namespace

FittedConstants fit(const std::vector<const Row*>& rows, const DeviceFile& device) {
  const Residuals residuals{rows, device};
  Eigen::NumericalDiff<Residuals> with_slopes(residuals, 1e-6);
  Eigen::LevenbergMarquardt<Eigen::NumericalDiff<Residuals>> solver(with_slopes);
  solver.parameters.maxfev = 400;
  solver.parameters.ftol = 1e-5;
  solver.parameters.xtol = 1e-4;
  Eigen::VectorXd x = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(starts.size()));
  solver.minimize(x);
  return constants_of(x);
}

double predicted_ms(const Row& row, const DeviceFile& device, const FittedConstants& fitted) {
  return combine(terms_of(row.spec, row.phases, device, fitted), device, fitted).milliseconds;
}

}  // namespace agpusim::protocol
