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

std::vector<Fold> folds_of(const std::vector<FitRow>& rows,
                           const std::function<std::string(const FitRow&)>& group) {
  std::set<std::string> groups;
  for (const FitRow& row : rows) groups.insert(group(row));
  std::vector<Fold> folds;
  for (const std::string& left : groups) {
    folds.push_back({left, pointers(rows, [&](const FitRow& row) { return group(row) != left; }),
                     pointers(rows, [&](const FitRow& row) { return group(row) == left; })});
  }
  return folds;
}

FittedConstants fit_all(std::vector<Fold>& folds, const std::vector<FitRow>& rows,
                        const DeviceFile& device) {
  const Predictor predict = model_on(device);
  const FittedConstants of_all = fit(pointers(rows), predict);
  tbb::parallel_for(std::size_t{0}, folds.size(), [&](std::size_t i) {
    folds[i].constants = fit(folds[i].fitted_to, predict, &of_all);
  });
  return of_all;
}

}  // namespace agpusim::protocol
