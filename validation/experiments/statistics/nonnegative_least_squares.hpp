#pragma once

#include <vector>

namespace agpusim::statistics_experiment {

/// The x >= 0 that minimises the Euclidean norm of A x - y, exactly: of all subsets of columns the
/// best one whose solution without the constraint is not negative. For few columns. `rows` is A by
/// rows. Throws std::invalid_argument without rows or columns, for rows of different length, for
/// more than 10 columns and for values that are not finite.
[[nodiscard]] std::vector<double> nonnegative_least_squares(
    const std::vector<std::vector<double>>& rows, const std::vector<double>& y);

}  // namespace agpusim::statistics_experiment
