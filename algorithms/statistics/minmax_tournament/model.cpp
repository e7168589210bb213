#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/statistics/minmax_tournament/forms.hpp"
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

/// The branch goes where the data send it: the rounds are played on the host.
template <class T>
void append_branching_rounds(const RunConfig& config, const RoundForms& round,
                             std::vector<PhaseForm>& forms) {
  std::vector<T> numbers = padded_numbers<T>(config);
  std::vector<T> next(numbers.size());
  const std::size_t half = numbers.size() / 2;
  std::vector<std::uint8_t> greater(half);
  for (std::int64_t r = 0; r < rounds_of(config).count(); ++r) {
    forms.push_back(round.copy());
    for (std::size_t i = 0; i < half; ++i) {
      const T v1 = numbers[2 * i + 1];
      const T v2 = numbers[2 * i];
      next[i] = std::max(v1, v2);
      next[half + i] = std::min(v1, v2);
      greater[i] = v1 > v2 ? 1 : 0;
    }
    forms.push_back(round.compare(greater));
    numbers.swap(next);
  }
}

std::vector<PhaseForm> closed_form(const RunConfig& config) {
  const Rounds rounds = rounds_of(config);
  const RoundForms round(config.spec, rounds, element_words(config));
  std::vector<PhaseForm> forms;
  if (config.variant == "copy") {
    with_number(config, [&]<class T>(T) { append_branching_rounds<T>(config, round, forms); });
    return forms;
  }
  const PhaseForm copy = round.copy();
  const PhaseForm compare = round.pairs(CompareSelect::name, 2);  // max, min
  for (std::int64_t r = 0; r < rounds.count(); ++r) {
    if (config.variant == "copy_select") forms.push_back(copy);
    forms.push_back(compare);
  }
  return forms;
}

}  // namespace

void register_minmax_tournament(Registry& registry) {
  Algorithm row;
  row.name = "minmax_tournament";
  row.summary = "minimum and maximum in ceil(lg n) rounds that compare neighbours";
  row.source =
      "Nishimura and Toyonaga, fast statistics on GPGPU, figure 3.1, repaired; theory 3.13";
  complete_row(row);
  row.variants = {{"copy", {}, io_of_rounds("5 to 6", 6)},
                  {"copy_select", {}, io_of_rounds("5", 5)},
                  {"ping_pong", {}, io_of_rounds("3", 3)}};
  row.check = check;
  row.program = minmax_tournament::make_program<SimulatedDevice>;
  row.reference = reference;
  row.closed_form = closed_form;
  registry.add(std::move(row));
}

}  // namespace agpusim
