#include "agpusim/algorithms/integer_sorts/integer_sort_row.hpp"

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
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

}  // namespace

Algorithm integer_sort_row() {
  Algorithm row;
  row.variants = {"global", "shared"};
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
