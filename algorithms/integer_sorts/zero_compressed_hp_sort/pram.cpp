#include <set>

#include "agpusim/algorithms/common/pram/sequential_sorts.hpp"
#include "agpusim/algorithms/common/pram/sort_rows.hpp"
#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

void register_pram_zero_compressed_hp_sort(Registry& registry) {
  PramSide row = integer_sort_row(
      "0-compressed H-P sort of integer keys: prefix sums over the values that occur", 5, 3,
      "theory 3.5; seed 000, algorithm 5");
  add_sequential_variant(row, "3n + 3 range + 4 len", "seed 000, theorem 3; theory 3.5");
  row.run = [](const RunConfig& config, const PramOptions& options) {
    return run_sort(config, options, [&](Pram& pram, const PramArray& x, const KeyRange& keys) {
      if (config.variant == sequential_variant) {
        return sequential_zero_compressed_hp_sort(pram, x, keys);
      }
      const PrefixSums kind = parse_prefix_sums(config.variant);
      return zero_compressed_hp_sort(pram, x, keys, kind).y;
    });
  };
  row.closed_form = [](const RunConfig& config) {
    const std::vector<std::int64_t> keys = generate_pram_keys(config);
    const std::set<std::int64_t> distinct(keys.begin(), keys.end());
    const std::int64_t range = key_shape(config).range;
    const auto len = static_cast<std::int64_t>(distinct.size());
    if (config.variant == sequential_variant) {
      return sequential_zero_compressed_hp_sort_form(config.n, range, len);
    }
    return zero_compressed_hp_sort_form(config.n, range, len, parse_prefix_sums(config.variant));
  };
  registry.add("zero_compressed_hp_sort", std::move(row));
}

}  // namespace agpusim
