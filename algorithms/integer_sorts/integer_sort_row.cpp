#include "agpusim/algorithms/integer_sorts/integer_sort_row.hpp"

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

void check(const RunConfig& config) {
  check_keys(config);
  check_segments(config);
  if (config.variant == "shared") check_shared_bins(config);
  const std::int64_t words =
      config.spec.width * (config.parameters.at("per_lane") + 2) * element_words(config);
  if (words > config.spec.shared_words) {
    throw UsageError(
        fmt::format("{}: the scan's tiles of V·c elements and 2V sums need {} words of shared "
                    "memory, but M = {}; use a larger M, a smaller V or a smaller per_lane",
                    config.algorithm, words, config.spec.shared_words));
  }
}

const char* legend(histogram::Place place) {
  return place == histogram::Place::global ? keys_of_warp_text : "";
}

/// Scans of n and of R elements in tiles of V·c, and passes that cost less.
Bound time_of_sort(histogram::Place place, const Bound& more) {
  const Bound first = histogram_time(place);
  return {
      fmt::format("Theta({} + ((n+R)/p)(1 + log V / c){}){}", first.text, more.text, legend(place)),
      [first = first.value, more = more.value](const Symbols& s) {
        constexpr double scan = 12;  // T of a scan where a histogram without conflicts has 1
        const double passes = (s.n + s["range"]) / s.p * (1 + lg(s.width) / s["per_lane"]);
        return first(s.config) + scan * passes + (more ? more(s.config) : 0);
      }};
}

Bound io_of_sort(histogram::Place place, const Bound& rest) {
  const Bound first = histogram_io(place);
  return {fmt::format("{} + {}{}", rest.text, first.text, legend(place)),
          [first = first.value, rest = rest.value](const RunConfig& config) {
            return first(config) + rest(config);
          }};
}

}  // namespace

Algorithm integer_sort_row(const Bound& io, const Bound& time) {
  Algorithm row;
  for (const char* const name : {"global", "shared"}) {
    const histogram::Place place = histogram::place_of(name);
    row.variants.push_back({.name = name,
                            .time = time_of_sort(place, time),
                            .io = io_of_sort(place, io),
                            .help = histogram_help(place)});
  }
  complete_integer_row(row);
  row.parameters = key_parameters();
  for (Parameter& parameter : segment_parameters()) row.parameters.push_back(std::move(parameter));
  row.parameters.push_back({"per_lane", "c, neighbours a lane of the scans folds",
                            [](const RunConfig&) { return scan::default_per_lane; }});
  row.check = check;
  row.reference = sorted_keys_checksum;
  row.lower_bound = integer_sort_bound;
  return row;
}

}  // namespace agpusim
