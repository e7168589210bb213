#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/algorithms/statistics/accuracy.hpp"
#include "agpusim/papers/statistics/account.hpp"
#include "agpusim/papers/statistics/panels.hpp"

namespace agpusim::statistics_experiment {

/// What the experiment of seed 003 found.
struct Experiment {
  std::string generated;        ///< ISO 8601, UTC
  Account account;              ///< the paper's times
  Panels panels;                ///< on a device of today
  std::int64_t accuracy_n = 0;  ///< numbers behind each row of `accuracy`
  std::vector<statistics::VarianceError> accuracy;
};

/// |variance / exact - 1|; NaN where the variance is.
[[nodiscard]] inline double relative_error(const statistics::VarianceError& row) {
  return std::abs(row.variance / row.exact - 1);
}

}  // namespace agpusim::statistics_experiment
