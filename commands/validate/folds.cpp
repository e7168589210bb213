#include "agpusim/commands/validate/folds.hpp"

#include <set>

#include <tbb/parallel_for.h>

namespace agpusim::protocol {

Rows pointers(const std::vector<FitRow>& rows, const std::function<bool(const FitRow&)>& wanted) {
  Rows result;
  for (const FitRow& row : rows) {
    if (wanted(row)) result.push_back(&row);
  }
  return result;
}

Rows pointers(const std::vector<FitRow>& rows) {
  return pointers(rows, [](const FitRow&) { return true; });
}

std::vector<double> measured(const Rows& rows) {
  std::vector<double> result;
  for (const FitRow* const row : rows) result.push_back(row->measured->ms);
  return result;
}

std::vector<Prediction> predictions(const Rows& rows, const DeviceFile& device,
                                    const FittedConstants& fitted) {
  std::vector<Prediction> result;
  for (const FitRow* const row : rows) {
    result.push_back(combine(row->terms(device, fitted), fitted));
  }
  return result;
}

std::vector<double> milliseconds(const std::vector<Prediction>& predictions) {
  std::vector<double> result;
  for (const Prediction& prediction : predictions) result.push_back(prediction.milliseconds);
  return result;
}

std::vector<double> predicted(const Rows& rows, const DeviceFile& device,
                              const FittedConstants& fitted) {
  return milliseconds(predictions(rows, device, fitted));
}

std::vector<Fold> folds_of(const std::vector<FitRow>& rows) {
  std::set<std::string> styles;
  for (const FitRow& row : rows) styles.insert(row.style);
  std::vector<Fold> folds;
  for (const std::string& style : styles) {
    folds.push_back({style, pointers(rows, [&](const FitRow& row) { return row.style != style; }),
                     pointers(rows, [&](const FitRow& row) { return row.style == style; })});
  }
  folds.push_back({"all", pointers(rows), {}});
  return folds;
}

void fit_all(std::vector<Fold>& folds, const DeviceFile& device) {
  const Predictor predict = model_on(device);
  tbb::parallel_for(std::size_t{0}, folds.size(),
                    [&](std::size_t i) { folds[i].constants = fit(folds[i].fitted_to, predict); });
}

}  // namespace agpusim::protocol
