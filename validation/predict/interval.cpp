#include "agpusim/validation/predict/interval.hpp"

#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "agpusim/validation/io/text_table.hpp"

namespace agpusim {
namespace {

/// What `agpusim validate` (bundled) and `agpusim_zoo validate --own` of the zoo's records print
/// under "low" and "high": limited by the launch, and by anything else. Those of programs hold for
/// 90 % of the launches of 36 programs, each program weighing the same (accuracy.md).
constexpr std::array<std::array<IntervalFactors, 2>, 4> factors = {{
    {{{0.89, 1.19}, {0.82, 1.50}}},
    {{{0.76, 1.64}, {0.61, 1.43}}},
    {{{0.80, 1.37}, {0.60, 1.42}}},
    {{{0.87, 1.29}, {0.79, 3.20}}},
}};

}  // namespace

bool launch_bound(const Prediction& prediction) { return prediction.limit == "launch"; }

IntervalFactors interval_factors(PredictedFrom from, bool launch_bound) {
  return factors[static_cast<std::size_t>(from)][launch_bound ? 0 : 1];
}

void add_interval(Prediction& prediction, PredictedFrom from) {
  const IntervalFactors of = interval_factors(from, launch_bound(prediction));
  prediction.low = of.low * prediction.milliseconds;
  prediction.high = of.high * prediction.milliseconds;
}

std::string range_text(double low, double high) {
  return fmt::format("{} to {}", detail::decimal_text(low), detail::decimal_text(high));
}

std::string interval_text(const Prediction& prediction) {
  if (prediction.high <= 0) return {};
  return range_text(prediction.low, prediction.high);
}

}  // namespace agpusim
