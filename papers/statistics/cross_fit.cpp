#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "agpusim/papers/statistics/account.hpp"
#include "agpusim/validation/io/least_squares.hpp"
#include "agpusim/validation/io/stats.hpp"

namespace agpusim::statistics_experiment {
namespace {

std::vector<double> columns(const Charges& charges, Law law) {
  if (law == Law::time) return {charges.time};
  return {charges.launches, charges.time, charges.bytes};
}

TimeModel model_of(const std::vector<double>& constants, Law law) {
  if (law == Law::time) return {0, constants.at(0), 0};
  return {constants.at(0), constants.at(1), constants.at(2)};
}

Fit fit(const std::vector<AccountRow>& rows, const std::string& trained_on, Law law) {
  std::vector<std::vector<double>> matrix;
  for (const AccountRow& row : rows) {
    matrix.push_back(columns(row.charges, law));
    // The error relative to the measured time: long runs count no more than short ones.
    for (double& entry : matrix.back()) entry /= row.measured_us;
  }
  Fit result;
  result.trained_on = trained_on;
  result.model =
      model_of(nonnegative_least_squares(matrix, std::vector<double>(rows.size(), 1.0)), law);
  std::vector<double> predicted;
  std::vector<double> measured;
  for (const AccountRow& row : rows) {
    predicted.push_back(result.model.microseconds(row.charges));
    measured.push_back(row.measured_us);
  }
  result.training_mape = mape(predicted, measured);
  return result;
}

std::vector<AccountRow> rows_of(const std::vector<AccountRow>& rows, const std::string& problem) {
  std::vector<AccountRow> result;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(result),
               [&](const AccountRow& row) { return row.problem == problem; });
  return result;
}

}  // namespace

double TimeModel::microseconds(const Charges& charges) const {
  return launch_us * charges.launches + time_unit_us * charges.time + byte_us * charges.bytes;
}

CrossFit cross_fit(std::vector<AccountRow> rows, Law law, std::string what) {
  std::set<std::string> problems;
  for (const AccountRow& row : rows) {
    if (!(row.measured_us > 0)) throw std::invalid_argument("a measured time is not positive");
    problems.insert(row.problem);
  }
  if (problems.size() != 2) throw std::invalid_argument("a cross fit needs two problems");
  CrossFit result;
  result.what = std::move(what);
  for (const std::string& problem : problems) {
    result.fits.push_back(fit(rows_of(rows, problem), problem, law));
  }
  result.fits.push_back(fit(rows, "both", law));
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    AccountRow& row = rows[i];
    const Fit& other = row.problem == result.fits[0].trained_on ? result.fits[1] : result.fits[0];
    row.predicted_us = other.model.microseconds(row.charges);
    row.error = row.predicted_us / row.measured_us - 1;
    sum += std::abs(row.error);
    if (std::abs(row.error) > std::abs(rows[result.worst].error)) result.worst = i;
  }
  result.mape = sum / static_cast<double>(rows.size());
  result.rows = std::move(rows);
  return result;
}

}  // namespace agpusim::statistics_experiment
