#include "agpusim/algorithms/common/pram/sort_rows.hpp"

#include <utility>

#include <fmt/format.h>

#include "agpusim/algorithms/common/pram/bounds.hpp"

namespace agpusim {

PramSide integer_sort_row(std::string summary, int steps, int scans, const std::string& source) {
  PramSide row;
  row.summary = std::move(summary);
  row.variants = {
      pram_variant(to_string(PrefixSums::dyadic), "prefix sums from aligned intervals (PS1)",
                   growth::of_m(fmt::format("{} steps, O(m log m) processors, m = max(n, range)",
                                            steps + 2 * scans),
                                growth::one, growth::m_log, growth::m_log),
                   source, {PramAccess::sum}),
      pram_variant(
          to_string(PrefixSums::nested), "prefix sums in nested blocks (PS2)",
          growth::of_m(fmt::format("at most {} steps, O(m log* m) processors, m = max(n, range)",
                                   steps + 4 * scans),
                       growth::one, growth::m_log_star, growth::m_log_star),
          source, {PramAccess::sum}),
      pram_variant(to_string(PrefixSums::work_optimal), "prefix sums with linear work (PS4)",
                   growth::of_m("O(log* m) steps, O(m) processors, work O(m), m = max(n, range)",
                                growth::log_star, growth::linear, growth::linear),
                   source, {PramAccess::sum})};
  row.inputs = key_kinds();
  row.parameters = key_parameters();
  row.check = [](const RunConfig& config) {
    refuse_count_reading(config);
    check_keys(config);
  };
  return row;
}

}  // namespace agpusim
