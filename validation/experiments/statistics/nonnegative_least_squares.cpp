#include "agpusim/validation/experiments/statistics/nonnegative_least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Dense>

namespace agpusim::statistics_experiment {
namespace {

constexpr std::size_t max_columns = 10;

void require_usable(const std::vector<std::vector<double>>& rows, const std::vector<double>& y) {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (rows.empty() || rows.front().empty() || rows.front().size() > max_columns) {
    throw std::invalid_argument("least squares of 0 rows, 0 columns or more than 10 columns");
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

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace

std::vector<double> nonnegative_least_squares(const std::vector<std::vector<double>>& rows,
                                              const std::vector<double>& y) {
  require_usable(rows, y);
  const std::size_t columns = rows.front().size();
  Eigen::MatrixXd all(index(rows.size()), index(columns));
  Eigen::VectorXd target(index(y.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    target(index(i)) = y[i];
    for (std::size_t j = 0; j < columns; ++j) all(index(i), index(j)) = rows[i][j];
  }
  // Columns of one length: the rank does not depend on their units.
  Eigen::VectorXd scale = all.colwise().norm();
  for (Eigen::Index j = 0; j < scale.size(); ++j) {
    if (scale(j) > 0) all.col(j) /= scale(j);
  }

  Eigen::VectorXd best = Eigen::VectorXd::Zero(index(columns));
  double best_norm = target.norm();
  for (std::size_t subset = 1; subset < (std::size_t{1} << columns); ++subset) {
    std::vector<Eigen::Index> active;
    for (std::size_t j = 0; j < columns; ++j) {
      if ((subset >> j & 1U) != 0) active.push_back(index(j));
    }
    const Eigen::MatrixXd part = all(Eigen::indexing::all, active);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(part);
    // Without full rank a smaller subset does as well.
    if (qr.rank() < part.cols()) continue;
    const Eigen::VectorXd x = qr.solve(target);
    const double norm = (part * x - target).norm();
    if (x.minCoeff() < 0 || norm >= best_norm) continue;
    best_norm = norm;
    best.setZero();
    for (std::size_t j = 0; j < active.size(); ++j) best(active[j]) = x(index(j));
  }

  std::vector<double> result(columns);
  for (std::size_t j = 0; j < columns; ++j) {
    const double value = best(index(j));
    result[j] = value > 0 ? value / scale(index(j)) : 0;
  }
  return result;
}

}  // namespace agpusim::statistics_experiment
