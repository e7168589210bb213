#include <fmt/format.h>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/statistics/policies.hpp"
#include "agpusim/algorithms/statistics/row.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

using namespace statistics;

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

void register_statistics(Registry& registry) {
  Algorithm row;
  row.name = "statistics";
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
