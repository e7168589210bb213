#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/statistics/statistics_tournament/program.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

using namespace tournament;

/// NaN and infinities are welcome: they reach mean and variance as they reach the exact ones.
void check(const RunConfig& config) {
  check_rows(config);
  if (config.type == "i32" && config.n > std::int64_t{1} << 32) {
    throw UsageError("statistics_tournament: 64 bits hold the sum of 2^32 i32 numbers; use fewer");
  }
  if (!is_given(config.input)) return;
  with_number(config, [&]<class T>(T) {
    const std::vector<T> numbers = numeric_input<T>(config);
    const auto overflows = [](T number) {
      const auto x = static_cast<float>(number);
      return std::isfinite(x) && !std::isfinite(x * x);
    };
    const auto large = std::find_if(numbers.begin(), numbers.end(), overflows);
    if (large == numbers.end()) return;
    throw UsageError(
        fmt::format("statistics_tournament: the square of x[{}] = {} is beyond f32; scale the "
                    "numbers, or use the algorithm statistics",
                    large - numbers.begin(), *large));
  });
}

std::uint64_t reference(const RunConfig& config) {
  return with_number(config, [&]<class T>(T) {
    const auto exact = exact_moments<T>(config);
    return summary_checksum(exact, exact, {});
  });
}

}  // namespace

void register_statistics_tournament(Registry& registry) {
  Algorithm row;
  row.name = "statistics_tournament";
  row.family = "statistics";
  row.summary = "mean and variance in ceil(lg n) rounds that add neighbours";
  row.source =
      "Nishimura and Toyonaga, fast statistics on GPGPU, figure 3.5, repaired; theory 3.13";
  complete_row(row);
  row.variants = {{.name = "copy",
                   .io = io_of_rounds("10 (f32) or 15 (i32)", 10),
                   .help = "each round copies the numbers of a tree, then adds neighbours"},
                  {.name = "ping_pong",
                   .io = io_of_rounds("6 (f32) or 9 (i32)", 6),
                   .help = "no copies: two arrays of each tree take turns"}};
  row.check = check;
  row.program = statistics_tournament::make_program<SimulatedDevice>;
  row.reference = reference;
  registry.add(std::move(row));
}

}  // namespace agpusim
