#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/model/run/algorithm.hpp"

// Signed and floating-point inputs, of the rows that search and measure numbers.
namespace agpusim {

/// "i32", "i64", "f32", "f64".
[[nodiscard]] const std::vector<std::string>& numeric_types();

/// Kinds of numbers, the same on every machine for one seed. Inputs "values:3,-1,4" spell the
/// numbers themselves; of floating-point numbers also nan, inf and -inf.
[[nodiscard]] const std::vector<std::string>& numeric_kinds();

/// One line of explanation of a kind of numbers.
[[nodiscard]] std::string describe_numeric(const std::string& kind);

/// The parameter "mean" of rows with these inputs: the mean of `normal` numbers in standard
/// deviations.
[[nodiscard]] Parameter mean_parameter();

/// The n numbers of a run; T is one of the number types. Throws UsageError for an unknown kind or a
/// word of "values:" that is no T.
template <class T>
[[nodiscard]] std::vector<T> numeric_input(const RunConfig& config);

extern template std::vector<std::int32_t> numeric_input(const RunConfig&);
extern template std::vector<std::int64_t> numeric_input(const RunConfig&);
extern template std::vector<float> numeric_input(const RunConfig&);
extern template std::vector<double> numeric_input(const RunConfig&);

}  // namespace agpusim
