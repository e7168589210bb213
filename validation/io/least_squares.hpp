#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace agpusim {

/// The x that minimises the Euclidean norm of A x - y, by an orthogonal factorisation of A with
/// columns of one length; nothing where they depend on each other. `rows` is A by rows. Throws
/// std::invalid_argument without rows or columns, for rows of different length and for values that
/// are not finite.
[[nodiscard]] std::optional<std::vector<double>> least_squares(
    const std::vector<std::vector<double>>& rows, const std::vector<double>& y);

/// Least squares under x >= 0, exactly: the best subset of columns whose solution without the
/// constraint is not negative. For few columns: throws for more than 10, too.
[[nodiscard]] std::vector<double> nonnegative_least_squares(
    const std::vector<std::vector<double>>& rows, const std::vector<double>& y);

/// The x from which on no small step makes the sum of the squares of residuals(x) smaller, by
/// Levenberg and Marquardt's method with slopes by differences, from `x` on, in at most 60 steps.
/// For residuals of the order of 1 and x that change them as much.
[[nodiscard]] std::vector<double> minimise_squares(
    const std::function<std::vector<double>(const std::vector<double>&)>& residuals,
    std::vector<double> x);

}  // namespace agpusim
