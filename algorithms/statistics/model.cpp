#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/common/sort_bound.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/statistics/program.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

using namespace statistics;

/// Refuses floating-point numbers whose squares leave their type's range. NaN and infinities may
/// occur.
template <class T>
void check_given(const RunConfig& config, const std::vector<T>& values) {
  if constexpr (std::is_floating_point_v<T>) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) continue;
      low = std::min<double>(low, values[i]);
      high = std::max<double>(high, values[i]);
      if (config.variant == "textbook" && !std::isfinite(values[i] * values[i])) {
        throw UsageError(fmt::format("{}: the square of x[{}] = {} overflows {}; scale the numbers",
                                     config.algorithm, i, values[i], config.type));
      }
    }
    const double range = high - low;
    if (config.algorithm == "statistics" && low <= high &&
        !std::isfinite(static_cast<double>(values.size()) * range * range)) {
      throw UsageError(
          fmt::format("{}: the squared deviations of numbers from {} to {} overflow f64; scale the "
                      "numbers",
                      config.algorithm, low, high));
    }
  }
}

/// Fills in types, inputs, parameters, bounds and lower bound.
void describe(Algorithm& row) {
  row.types = numeric_types();
  row.inputs = numeric_kinds();
  row.given_values = true;
  row.parameters = segment_parameters();
  row.parameters.push_back(mean_parameter());
  row.lower_bound = [](const RunConfig& config) { return reduction_bound(config, "comparisons"); };
  row.time = {"Theta(n/p + k/b + V/b + log V)",
              [](const Symbols& s) { return s.n / s.p + (s.k + s.width) / s.b + lg(s.width); }};
  row.io = {"n/b + O(k)", [](const Symbols& s) { return s.n / s.b + s.k; }};
}

/// The variant in which one lane does it all.
Variant one_lane() {
  const auto n = [](const Symbols& s) { return s.n; };
  return {.name = "one_lane",
          .time = {"Theta(n)", n},
          .io = {"Theta(n)", n},
          .help = "one lane of one task reads all the numbers"};
}

/// Throws UsageError where M is too small for V records of so many fields, the segments too long
/// for 32-bit indices, or a serial run too long; and what a policy for integers refuses.
void check_machine(const RunConfig& config, std::int64_t fields, bool serial) {
  if (is_given(config.input)) {
    with_numeric_type(config.type,
                      [&]<class T>(T) { check_given(config, numeric_input<T>(config)); });
  }
  if (serial) {
    if (config.n > std::int64_t{1} << 30) {
      throw UsageError(
          fmt::format("{}: n = {}: one lane takes at most 2^30 numbers; use variant "
                      "one_pass",
                      config.algorithm, config.n));
    }
    return;
  }
  constexpr std::int32_t field_bytes = 8;
  const std::int64_t words =
      config.spec.width * fields * config.spec.words_per_element(field_bytes);
  if (words > config.spec.shared_words) {
    throw UsageError(fmt::format(
        "{}: the records of V = {} lanes need {} words of shared memory, but M = {}; use a "
        "larger M or a smaller V",
        config.algorithm, config.spec.width, words, config.spec.shared_words));
  }
  const std::int64_t per_task = steps(config).front().host().per_task;
  if (per_task > std::int64_t{1} << 30) {
    throw UsageError(
        fmt::format("{}: a task would take {} numbers, at most 2^30 are possible; use more tasks "
                    "or a larger p",
                    config.algorithm, per_task));
  }
}

/// Fields of the largest record that a lane keeps in shared memory.
template <class T, class Moments>
[[nodiscard]] constexpr std::int64_t most_fields() {
  return Extremes<T>::fields + std::max(Moments::sums, Moments::fields);
}

void check(const RunConfig& config) {
  const bool integers = config.type == "i32" || config.type == "i64";
  if (integers && config.n > most_integers) {
    throw UsageError(fmt::format(
        "statistics: n = {}: the sums of more than 2^31 integers would not be exact; use f64",
        config.n));
  }
  with_moments(config, [&]<class T, class Moments, bool serial>() {
    check_machine(config, most_fields<T, Moments>(), serial);
  });
}

}  // namespace

void register_minmax(Registry& registry) {
  Algorithm row;
  row.name = "minmax";
  row.family = "statistics";
  row.summary = "minimum and maximum of n numbers and where they are, in one pass over them";
  row.source = "seed 003; theory 3.8, 3.13";
  row.variants = {{.name = "one_pass",
                   .help = "each task finds the extremes of a segment, then these are merged"},
                  one_lane()};
  describe(row);
  row.check = [](const RunConfig& config) {
    without_moments(config, [&]<class T, class Moments, bool serial>() {
      check_machine(config, most_fields<T, Moments>(), serial);
    });
  };
  row.program = agpusim::minmax::make_program<SimulatedDevice>;
  row.reference = [](const RunConfig& config) {
    return without_moments(config, [&]<class T, class Moments, bool>() {
      return expected_checksum<T, Moments>(config);
    });
  };
  registry.add(std::move(row));
}

void register_statistics(Registry& registry) {
  Algorithm row;
  row.name = "statistics";
  row.family = "statistics";
  row.summary =
      "minimum, maximum, where they are, mean and variance of n numbers, in one pass over them";
  row.source =
      "seed 003; theory 3.8, 3.13; merging: Chan, Golub and LeVeque, American Statistician 37(3), "
      "1983";
  // The sums of integers are exact, and need no formula that is not.
  row.variants = {
      {.name = "one_pass",
       .help = "floats: deviations from a segment's first number; integers: exact sums"},
      {.name = "textbook",
       .types = {"f32", "f64"},
       .help = "sums x and x^2/n in the data's precision: variance may be negative"},
      one_lane()};
  describe(row);
  row.check = check;
  row.program = statistics::make_program<SimulatedDevice>;
  row.reference = [](const RunConfig& config) {
    return with_moments(config, [&]<class T, class Moments, bool>() {
      return expected_checksum<T, Moments>(config);
    });
  };
  registry.add(std::move(row));
}

}  // namespace agpusim
