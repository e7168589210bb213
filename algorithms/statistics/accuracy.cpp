#include "agpusim/algorithms/statistics/accuracy.hpp"

#include <fmt/format.h>

#include "agpusim/algorithms/statistics/moments.hpp"
#include "agpusim/algorithms/statistics/program.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim::statistics {
namespace {

/// A run on the default machine; M holds the records of all lanes.
RunConfig configure(const char* type, std::int64_t n, std::uint64_t seed, std::int64_t mean) {
  RunConfig config;
  config.algorithm = "statistics";
  config.type = type;
  config.n = n;
  config.input = "normal";
  config.seed = seed;
  for (const Parameter& parameter : segment_parameters()) {
    config.parameters[parameter.name] = parameter.default_value(config);
  }
  config.parameters["mean"] = mean;
  return config;
}

template <class T, class Moments>
double variance(const RunConfig& config) {
  SimulationOptions options;
  options.checks = false;
  options.pricing = false;
  SimulatedDevice device(config.spec, options);
  const auto program = [&](auto& run) { return summarise<Moments, false>(run, config); };
  return found_by<T>(device, config, program).variance;
}

template <class T>
void append_errors(const char* type, std::int64_t n, std::uint64_t seed,
                   std::vector<VarianceError>& errors) {
  std::vector<VarianceError> textbook;
  for (std::int64_t mean = 1; mean <= 1'000'000; mean *= 10) {
    const RunConfig config = configure(type, n, seed, mean);
    const double exact = exact_summary_of<T>(config).variance;
    errors.push_back({type, "one_pass", mean, exact, variance<T, ShiftedMoments<T>>(config)});
    textbook.push_back({type, "textbook", mean, exact, variance<T, TextbookMoments<T>>(config)});
  }
  errors.insert(errors.end(), textbook.begin(), textbook.end());
}

}  // namespace

std::vector<VarianceError> variance_errors(std::int64_t n, std::uint64_t seed) {
  if (n < 1) {
    throw UsageError(fmt::format("variance errors of n = {} numbers: n must be at least 1", n));
  }
  std::vector<VarianceError> errors;
  append_errors<float>("f32", n, seed, errors);
  append_errors<double>("f64", n, seed, errors);
  return errors;
}

}  // namespace agpusim::statistics
