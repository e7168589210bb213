#include <set>

#include "agpusim/algorithms/common/pram/sort_rows.hpp"

namespace agpusim {

void register_pram_zero_compressed_hp_sort(PramRegistry& registry) {
  PramAlgorithm row = integer_sort_row(
      "zero_compressed_hp_sort",
      "0-compressed H-P sort of integer keys: prefix sums over the values that occur", 5, 3,
      "theory 3.5; seed 000, algorithm 5");
  row.run = [](const PramRunConfig& config, const PramOptions& options) {
    return run_sort(config, options, [&](Pram& pram, const PramArray& x, const KeyRange& keys) {
      const PrefixSums kind = parse_prefix_sums(config.variant);
      return zero_compressed_hp_sort(pram, x, keys, kind).y;
    });
  };
  row.closed_form = [](const PramRunConfig& config) {
    const std::vector<std::int64_t> keys = generate_pram_keys(config);
    const std::set<std::int64_t> distinct(keys.begin(), keys.end());
    return zero_compressed_hp_sort_form(config.n, pram_key_shape(config).range,
                                        static_cast<std::int64_t>(distinct.size()),
                                        parse_prefix_sums(config.variant));
  };
  registry.add(std::move(row));
}

}  // namespace agpusim
