#include "agpusim/algorithms/statistics/minmax_tournament/rounds.hpp"

#include <iterator>
#include <string>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/numeric_input.hpp"
#include "agpusim/algorithms/common/sort_bound.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim::tournament {
namespace {}  // namespace

Bound io_of_rounds(const std::string& blocks, double factor) {
  return {blocks + " n/b for each of ceil(lg n) rounds",
          [factor](const Symbols& s) { return factor * s.n / s.b * std::ceil(lg(s.n)); }};
}

Rounds rounds_of(const RunConfig& config) {
  return {config.n + config.n % 2,
          static_cast<std::int32_t>(config.parameters.at("rows") * config.spec.width)};
}

void complete_row(Algorithm& row) {
  row.time = {"Theta((n/p) log n)", [](const Symbols& s) { return s.n / s.p * lg(s.n); }};
  row.types = {"i32", "f32"};
  row.inputs = {"sorted"};
  std::copy_if(numeric_kinds().begin(), numeric_kinds().end(), std::back_inserter(row.inputs),
               [](const std::string& kind) { return kind != "sorted"; });
  row.given_values = true;
  row.parameters = {{"rows", "rows of V pairs (copying: elements) that one task takes",
                     [](const RunConfig&) { return std::int64_t{4}; }},
                    mean_parameter()};
  row.lower_bound = [](const RunConfig& config) { return reduction_bound(config, "applications"); };
}

void check_rows(const RunConfig& config) {
  const std::int64_t rows = config.parameters.at("rows");
  if (rows > (std::int64_t{1} << 29) / config.spec.width) {
    throw UsageError(fmt::format(
        "{}: rows = {} of V = {} pairs are more than the 2^29 that one task can take; use fewer",
        config.algorithm, rows, config.spec.width));
  }
}

}  // namespace agpusim::tournament
