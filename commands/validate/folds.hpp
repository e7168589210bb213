#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agpusim/commands/validate/protocol.hpp"

namespace agpusim::protocol {

using Rows = std::vector<const FitRow*>;

[[nodiscard]] Rows pointers(const std::vector<FitRow>& rows,
                            const std::function<bool(const FitRow&)>& wanted);
[[nodiscard]] Rows pointers(const std::vector<FitRow>& rows);

[[nodiscard]] std::vector<Prediction> predictions(const Rows& rows, const DeviceFile& device,
                                                  const FittedConstants& fitted);

/// Milliseconds of each row.
[[nodiscard]] std::vector<double> measured(const Rows& rows);
[[nodiscard]] std::vector<double> milliseconds(const std::vector<Prediction>& predictions);
[[nodiscard]] std::vector<double> predicted(const Rows& rows, const DeviceFile& device,
                                            const FittedConstants& fitted);

/// Constants, and the rows that are predicted by them.
struct Fold {
  std::string name;
  Rows fitted_to;
  Rows left_out;
  FittedConstants constants = {};
};

/// One for each group of rows left out, by what `group` says of a row.
[[nodiscard]] std::vector<Fold> folds_of(const std::vector<FitRow>& rows,
                                         const std::function<std::string(const FitRow&)>& group);

/// Fits the constants of every fold, on all cores, from those of all rows, which it returns.
FittedConstants fit_all(std::vector<Fold>& folds, const std::vector<FitRow>& rows,
                        const DeviceFile& device);

}  // namespace agpusim::protocol
