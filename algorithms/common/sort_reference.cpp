#include "agpusim/algorithms/common/sort_reference.hpp"

#include <vector>

#include <fmt/format.h>
#include <tbb/parallel_sort.h>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/common/sort_bound.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {

std::uint64_t sorted_checksum(const RunConfig& config) {
  return with_element_type(config.type, [&]<class Key>(Key) {
    std::vector<Key> keys = generate<Key>(config.input, config.n, config.seed);
    tbb::parallel_sort(keys.begin(), keys.end());
    return checksum<Key>(keys);
  });
}

Algorithm comparison_sort_row() {
  Algorithm row;
  row.types = {"u32", "u64"};
  row.inputs = input_kinds();
  row.reference = sorted_checksum;
  row.lower_bound = comparison_sort_bound;
  return row;
}

void check_powers_of_two(const RunConfig& config) {
  const AgpuSpec& spec = config.spec;
  const std::int64_t words = element_words(config);
  if (is_power_of_two(spec.block_words) && is_power_of_two(spec.width) && is_power_of_two(words)) {
    return;
  }
  throw UsageError(fmt::format(
      "{} needs b, V and the words of a key to be powers of two; here b = {}, V = {}, {} words",
      config.algorithm, spec.block_words, spec.width, words));
}

}  // namespace agpusim
