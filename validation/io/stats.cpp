#include "agpusim/validation/io/stats.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace agpusim {
namespace {

void require_sample(const std::vector<double>& values) {
  if (values.empty()) throw std::invalid_argument("statistics of an empty sample");
  if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) {
    throw std::invalid_argument("statistics of a value that is not finite");
  }
}

void require_pairs(const std::vector<double>& x, const std::vector<double>& y) {
  require_sample(x);
  require_sample(y);
  if (x.size() != y.size()) throw std::invalid_argument("statistics of samples of unequal length");
}

double sum_of_products(const std::vector<double>& x, double x_mean, const std::vector<double>& y,
                       double y_mean) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - x_mean) * (y[i] - y_mean);
  return sum;
}

/// Ranks from 1; equal values get the average of the ranks they cover.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> result(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    const double rank = (static_cast<double>(first) + static_cast<double>(last) + 1) / 2;
    for (; first < last; ++first) result[order[first]] = rank;
  }
  return result;
}

}  // namespace

double mean(const std::vector<double>& values) {
  require_sample(values);
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(const std::vector<double>& values) { return quantile(values, 0.5); }

double quantile(const std::vector<double>& values, double q) {
  require_sample(values);
  if (!(q >= 0 && q <= 1)) throw std::invalid_argument("a quantile outside 0..1");
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double weight = position - static_cast<double>(below);
  return sorted[below] + weight * (sorted[above] - sorted[below]);
}

Spread low_high(const std::vector<double>& values) {
  if (values.size() < 20) return {quantile(values, 0), quantile(values, 1)};
  return {quantile(values, 0.05), quantile(values, 0.95)};
}

double pearson(const std::vector<double>& x, const std::vector<double>& y) {
  require_pairs(x, y);
  const auto constant = [](const std::vector<double>& v) {
    return std::all_of(v.begin(), v.end(), [&](double value) { return value == v.front(); });
  };
  if (constant(x) || constant(y)) return std::numeric_limits<double>::quiet_NaN();
  const double x_mean = mean(x);
  const double y_mean = mean(y);
  return sum_of_products(x, x_mean, y, y_mean) /
         std::sqrt(sum_of_products(x, x_mean, x, x_mean) * sum_of_products(y, y_mean, y, y_mean));
}

double spearman(const std::vector<double>& x, const std::vector<double>& y) {
  require_pairs(x, y);
  return pearson(ranks(x), ranks(y));
}

double mape(const std::vector<double>& predicted, const std::vector<double>& measured) {
  require_pairs(predicted, measured);
  double sum = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    if (measured[i] <= 0)
      throw std::invalid_argument("relative error of a time that is not positive");
    sum += std::abs(predicted[i] / measured[i] - 1);
  }
  return sum / static_cast<double>(predicted.size());
}

double share_within(const std::vector<double>& errors) {
  constexpr double near = 0.1;
  const auto count =
      std::count_if(errors.begin(), errors.end(), [](double error) { return error <= near; });
  return static_cast<double>(count) / static_cast<double>(errors.size());
}

}  // namespace agpusim
