#include "agpusim/validation/io/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unsupported/Eigen/NonLinearOptimization>
#include <unsupported/Eigen/NumericalDiff>

#include <Eigen/Dense>

namespace agpusim {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t most_columns = 10;  // columns of which all subsets are tried

void require_usable(const std::vector<std::vector<double>>& rows, const std::vector<double>& y) {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (rows.empty() || rows.front().empty()) {
    throw std::invalid_argument("least squares of 0 rows or 0 columns");
  }
  if (rows.size() != y.size() || !std::all_of(y.begin(), y.end(), finite)) {
    throw std::invalid_argument("least squares needs one finite value per row");
  }
  for (const std::vector<double>& row : rows) {
    if (row.size() != rows.front().size() || !std::all_of(row.begin(), row.end(), finite)) {
      throw std::invalid_argument("least squares needs finite rows of one length");
    }
  }
}

VectorXd vector_of(const std::vector<double>& values) {
  return VectorXd::Map(values.data(), static_cast<Index>(values.size()));
}

std::vector<double> values_of(const VectorXd& vector) { return {vector.begin(), vector.end()}; }

/// A with columns of length 1, so that its rank does not depend on their units.
struct Scaled {
  MatrixXd columns;
  VectorXd lengths;  // 1 where a column is 0

  explicit Scaled(const std::vector<std::vector<double>>& rows)
      : columns(static_cast<Index>(rows.size()), static_cast<Index>(rows.front().size())) {
    for (Index i = 0; i < columns.rows(); ++i) {
      columns.row(i) = vector_of(rows[static_cast<std::size_t>(i)]).transpose();
    }
    lengths = columns.colwise().norm();
    lengths = (lengths.array() > 0).select(lengths, 1);
    columns *= lengths.cwiseInverse().asDiagonal();
  }
};

/// What is minimised, as Eigen asks for it.
struct Residuals {
  using Scalar = double;
  using InputType = VectorXd;
  using ValueType = VectorXd;
  using JacobianType = MatrixXd;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  const std::function<std::vector<double>(const std::vector<double>&)>& f;
  int columns;
  int rows;

  [[nodiscard]] int inputs() const { return columns; }
  [[nodiscard]] int values() const { return rows; }
  int operator()(const VectorXd& x, VectorXd& residuals) const {
    residuals = vector_of(f(values_of(x)));
    return 0;
  }
};

}  // namespace

std::optional<std::vector<double>> least_squares(const std::vector<std::vector<double>>& rows,
                                                 const std::vector<double>& y) {
  require_usable(rows, y);
  const Scaled a(rows);
  const Eigen::ColPivHouseholderQR<MatrixXd> factors(a.columns);
  if (factors.rank() < a.columns.cols()) return std::nullopt;
  const VectorXd x = factors.solve(vector_of(y));
  return values_of(x.cwiseQuotient(a.lengths));
}

std::vector<double> nonnegative_least_squares(const std::vector<std::vector<double>>& rows,
                                              const std::vector<double>& y) {
  require_usable(rows, y);
  const std::size_t columns = rows.front().size();
  if (columns > most_columns) {
    throw std::invalid_argument("nonnegative least squares of more than 10 columns");
  }
  const Scaled a(rows);
  const VectorXd target = vector_of(y);
  VectorXd best = VectorXd::Zero(a.columns.cols());
  double best_norm = target.norm();
  for (std::size_t subset = 1; subset < (std::size_t{1} << columns); ++subset) {
    std::vector<Index> active;
    for (std::size_t j = 0; j < columns; ++j) {
      if ((subset >> j & 1U) != 0) active.push_back(static_cast<Index>(j));
    }
    const MatrixXd part = a.columns(Eigen::indexing::all, active);
    const Eigen::ColPivHouseholderQR<MatrixXd> factors(part);
    // Without full rank a smaller subset does as well.
    if (factors.rank() < part.cols()) continue;
    const VectorXd x = factors.solve(target);
    const double norm = (part * x - target).norm();
    if (x.minCoeff() < 0 || norm >= best_norm) continue;
    best_norm = norm;
    best.setZero();
    best(active) = x;
  }
  return values_of(best.cwiseQuotient(a.lengths));
}

std::vector<double> minimise_squares(
    const std::function<std::vector<double>(const std::vector<double>&)>& residuals,
    std::vector<double> x) {
  VectorXd at = vector_of(x);
  Eigen::NumericalDiff<Residuals> with_slopes(
      Residuals{residuals, static_cast<int>(x.size()), static_cast<int>(residuals(x).size())},
      1e-6);
  Eigen::LevenbergMarquardt<Eigen::NumericalDiff<Residuals>> solver(with_slopes);
  solver.parameters.maxfev = 60;
  solver.parameters.ftol = 1e-5;
  solver.parameters.xtol = 1e-4;
  solver.minimize(at);
  return values_of(at);
}

}  // namespace agpusim
