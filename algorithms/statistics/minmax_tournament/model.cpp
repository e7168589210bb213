#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/statistics/minmax_tournament/program.hpp"
#include "agpusim/algorithms/statistics/summary.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

using namespace tournament;

void check(const RunConfig& config) {
  check_rows(config);
  if (!is_given(config.input)) return;
  with_number(config, [&]<class T>(T) {
    const std::vector<T> numbers = numeric_input<T>(config);
    const auto nan = std::find_if(numbers.begin(), numbers.end(), [](T x) { return x != x; });
    if (nan == numbers.end()) return;
    throw UsageError(fmt::format(
        "minmax_tournament: x[{}] is NaN, and comparisons with NaN lose the other numbers; leave "
        "it out, or use the algorithm minmax",
        nan - numbers.begin()));
  });
}

template <class T>
Extremes<T> exact_extremes(const RunConfig& config) {
  const Summary<T> summary = exact_summary(numeric_input<T>(config));
  return {summary.min, summary.max};
}

std::uint64_t reference(const RunConfig& config) {
  return with_number(config, [&]<class T>(T) { return exact_extremes<T>(config).checksum(); });
}

}  // namespace

template <class T>
std::vector<NamedValue> tournament::values_of(const Extremes<T>& extremes) {
  return {{"minimum", fmt::format("{}", extremes.min)},
          {"maximum", fmt::format("{}", extremes.max)}};
}
template std::vector<NamedValue> tournament::values_of(const Extremes<std::int32_t>& extremes);
template std::vector<NamedValue> tournament::values_of(const Extremes<float>& extremes);

void register_minmax_tournament(Registry& registry) {
  Algorithm row;
  row.name = "minmax_tournament";
  row.family = "statistics";
  row.summary = "minimum and maximum in ceil(lg n) rounds that compare neighbours";
  row.source =
      "Nishimura and Toyonaga, fast statistics on GPGPU, figure 3.1, repaired; theory 3.13";
  complete_row(row);
  row.variants = {{.name = "copy",
                   .io = io_of_rounds("5 to 6", 6),
                   .help = "each round copies the array, then orders pairs by a branch"},
                  {.name = "copy_select",
                   .io = io_of_rounds("5", 5),
                   .help = "each round copies the array, then orders pairs without a branch"},
                  {.name = "ping_pong",
                   .io = io_of_rounds("3", 3),
                   .help = "no copies: two arrays take turns; pairs ordered without a branch"}};
  row.check = check;
  row.program = minmax_tournament::make_program<SimulatedDevice>;
  row.reference = reference;
  registry.add(std::move(row));
}

}  // namespace agpusim
