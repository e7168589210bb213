#include <algorithm>
#include <iterator>
#include <utility>

#include <tbb/parallel_for.h>

#include "agpusim/commands/validate/protocol.hpp"
#include "agpusim/validation/io/stats.hpp"

namespace agpusim::protocol {
namespace {

using Rows = std::vector<const FitRow*>;

Score score(const Rows& rows, const Predictor& predict, const FittedConstants& fitted) {
  std::vector<double> predicted;
  std::vector<double> measured;
  for (const FitRow* const row : rows) {
    predicted.push_back(predict(*row)(fitted));
    measured.push_back(row->measured->ms);
  }
  return score_of(predicted, measured);
}

DeviceFile with(DeviceFile device, const std::string& name, double factor) {
  for (Constant& constant : device.constants) {
    if (constant.name == name) constant.value *= factor;
  }
  return device;
}

Predictor without(double PhaseTerms::*term, const DeviceFile& device) {
  return [term, device](const FitRow& row) -> Milliseconds {
    return [term, terms = row.terms(device)](const FittedConstants& fitted) {
      auto phases = refitted(terms, fitted);
      for (PhaseTerms& phase : phases) phase.*term = 0;
      return combine(phases, fitted).milliseconds;
    };
  };
}

Predictor without(double FittedConstants::*constant, const DeviceFile& device) {
  return [constant, model = model_on(device)](const FitRow& row) -> Milliseconds {
    return [constant, predicted = model(row)](FittedConstants fitted) {
      fitted.*constant = 0;
      return predicted(fitted);
    };
  };
}

}  // namespace

std::vector<Moved> moved_constants(const Rows& rows, const DeviceFile& device,
                                   const FittedConstants& fitted) {
  constexpr double step = 0.2;
  std::vector<Moved> result;
  for (const FittedConstant& constant : fitted_constants) {
    const auto moved = [&](double factor) {
      FittedConstants other = fitted;
      other.*constant.value *= factor;
      return score(rows, model_on(device), other).mape;
    };
    result.push_back({constant.name, moved(1 - step), moved(1 + step)});
  }
  const double unmoved = score(rows, model_on(device), fitted).mape;
  std::vector<Moved> measured(device.constants.size());
  tbb::parallel_for(std::size_t{0}, measured.size(), [&](std::size_t i) {
    const std::string& name = device.constants[i].name;
    const auto moved = [&](double factor) {
      return score(rows, model_on(with(device, name, factor)), fitted).mape;
    };
    measured[i] = {name, moved(1 - step), moved(1 + step)};
  });
  std::copy_if(measured.begin(), measured.end(), std::back_inserter(result),
               [&](const Moved& both) { return both.less != unmoved || both.more != unmoved; });
  return result;
}

std::vector<Line> ablation(const Rows& rows, const DeviceFile& device) {
  const std::vector<std::pair<std::string, Predictor>> models = {
      {"nothing", model_on(device)},
      {"code", without(&PhaseTerms::code, device)},
      {"issue", without(&PhaseTerms::issue, device)},
      {"shared", without(&PhaseTerms::shared, device)},
      {"bandwidth", without(&PhaseTerms::bandwidth, device)},
      {"atomics", without(&PhaseTerms::atomics, device)},
      {"latency", without(&PhaseTerms::latency, device)},
      {"fill of a multiprocessor", without(&PhaseTerms::fill, device)},
      {"scalar prologue", model_on(with(device, "prologue_instructions", 0))},
      {"cold start", without(&FittedConstants::cold_start, device)},
      {"line latency", without(&FittedConstants::line_latency, device)},
      {"growth of the overlap", without(&FittedConstants::overlap_growth, device)}};
  std::vector<Line> lines;
  for (const auto& [name, predict] : models) {
    lines.push_back({name, "the same rows", score(rows, predict, fit(rows, predict))});
  }
  return lines;
}

}  // namespace agpusim::protocol
