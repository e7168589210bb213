#include "agpusim/algorithms/common/pram/sort_rows.hpp"

#include <utility>

#include <fmt/format.h>

namespace agpusim {

PramAlgorithm integer_sort_row(std::string name, std::string summary, int steps, int scans,
                               const std::string& source) {
  PramAlgorithm row;
  row.name = std::move(name);
  row.summary = std::move(summary);
  row.variants = {
      {to_string(PrefixSums::dyadic),
       "prefix sums from aligned intervals (PS1)",
       fmt::format("{} steps, O(m log m) processors, m = max(n, range)", steps + 2 * scans),
       source,
       {PramAccess::sum}},
      {to_string(PrefixSums::nested),
       "prefix sums in nested blocks (PS2)",
       fmt::format("at most {} steps, O(m log* m) processors, m = max(n, range)",
                   steps + 4 * scans),
       source,
       {PramAccess::sum}},
      {to_string(PrefixSums::work_optimal),
       "prefix sums with linear work (PS4)",
       "O(log* m) steps, O(m) processors, work O(m), m = max(n, range)",
       source,
       {PramAccess::sum}}};
  row.inputs = key_kinds();
  row.parameters = pram_key_parameters();
  row.check = [](const PramRunConfig& config) {
    refuse_count_reading(config);
    check_pram_keys(config);
  };
  return row;
}

}  // namespace agpusim
