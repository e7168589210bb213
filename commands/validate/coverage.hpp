#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/validation/predict/predict.hpp"

namespace agpusim::protocol {

struct FitRow;

/// The error of a row that was predicted by constants fitted to others.
struct LeftOut {
  std::string style;
  bool launch_bound = false;
  double log_ratio = 0;  ///< log(measured / predicted)
};

/// Adds those of `rows`.
void add_left_out(std::vector<LeftOut>& errors, const std::vector<const FitRow*>& rows,
                  const std::vector<Prediction>& predictions);

/// How rows with one kind of limit lie in intervals.
struct Coverage {
  std::string from;     ///< what they are predicted from
  std::string limited;  ///< "by the launch", "otherwise"
  std::int64_t rows = 0;
  std::int64_t inside = 0;  ///< rows inside the interval that rows of the other styles have
  double low = 0;           ///< measured over predicted time: the interval that all rows have
  double high = 0;
};

/// Coverage for both kinds of limits; without those that rows of fewer than two styles have.
[[nodiscard]] std::vector<Coverage> coverage_of(const std::string& from,
                                                const std::vector<LeftOut>& errors);

}  // namespace agpusim::protocol
