#include "agpusim/algorithms/common/pram/sort_rows.hpp"

namespace agpusim {

void register_pram_hp_sort(PramRegistry& registry) {
  PramAlgorithm row = integer_sort_row(
      "hp_sort", "H-P sort of integer keys: a histogram, and the histogram of its prefix sums", 3,
      2, "theory 3.3; seed 000, algorithm 2");
  row.run = [](const PramRunConfig& config, const PramOptions& options) {
    return run_sort(config, options, [&](Pram& pram, const PramArray& x, const KeyRange& keys) {
      return hp_sort(pram, x, keys, parse_prefix_sums(config.variant)).y;
    });
  };
  row.closed_form = [](const PramRunConfig& config) {
    return hp_sort_form(config.n, pram_key_shape(config).range, parse_prefix_sums(config.variant));
  };
  registry.add(std::move(row));
}

}  // namespace agpusim
