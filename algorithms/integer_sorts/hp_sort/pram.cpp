#include "agpusim/algorithms/common/pram/sequential_sorts.hpp"
#include "agpusim/algorithms/common/pram/sort_rows.hpp"
#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

void register_pram_hp_sort(Registry& registry) {
  PramSide row = integer_sort_row(
      "H-P sort of integer keys: a histogram, and the histogram of its prefix sums", 3, 2,
      "theory 3.3; seed 000, algorithm 2");
  add_sequential_variant(row, "3n + 3 range + 1", "seed 000, theorem 1; theory 3.3");
  row.run = [](const RunConfig& config, const PramOptions& options) {
    return run_sort(config, options, [&](Pram& pram, const PramArray& x, const KeyRange& keys) {
      if (config.variant == sequential_variant) return sequential_hp_sort(pram, x, keys);
      return hp_sort(pram, x, keys, parse_prefix_sums(config.variant)).y;
    });
  };
  row.closed_form = [](const RunConfig& config) {
    const std::int64_t range = key_shape(config).range;
    if (config.variant == sequential_variant) return sequential_hp_sort_form(config.n, range);
    return hp_sort_form(config.n, range, parse_prefix_sums(config.variant));
  };
  registry.add("hp_sort", std::move(row));
}

}  // namespace agpusim
