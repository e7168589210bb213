#include "agpusim/model/cost/units.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace agpusim {

std::int64_t units_of_range(std::int64_t start, std::int64_t words, std::int64_t unit) {
  return words <= 0 ? 0 : (start + words - 1) / unit - start / unit + 1;
}

std::int64_t sum_units_of_ranges(std::int64_t start, std::int64_t stride, std::int64_t count,
                                 std::int64_t words, std::int64_t unit) {
  const std::int64_t period = unit / std::gcd(stride % unit, unit);
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < std::min(period, count); ++i) {
    const std::int64_t repeats = ceil_div(count - i, period);
    sum += repeats * units_of_range((start + i * stride) % unit, words, unit);
  }
  return sum;
}

std::int64_t units_of_progression(std::int64_t start, std::int64_t stride, std::int64_t count,
                                  std::int64_t words, std::int64_t unit) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t first = start + i * stride;
    sum += units_of_range(first, words, unit);
    const bool shared_with_previous = i > 0 && (first - stride + words - 1) / unit == first / unit;
    sum -= shared_with_previous ? 1 : 0;
  }
  return sum;
}

std::int64_t degree_of_progression(std::int64_t stride, std::int64_t count, std::int64_t words,
                                   std::int64_t banks) {
  if (words == 1) {
    const std::int64_t reached = banks / std::gcd(stride, banks);
    return ceil_div(count, reached);
  }
  std::vector<std::int64_t> load(static_cast<std::size_t>(banks));
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < words; ++j) {
      ++load[static_cast<std::size_t>((i * stride + j) % banks)];
    }
  }
  return *std::max_element(load.begin(), load.end());
}

double log2_factorial(double n) { return std::lgamma(n + 1) / std::numbers::ln2; }

}  // namespace agpusim
