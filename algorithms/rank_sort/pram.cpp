#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/sort_rows.hpp"

namespace agpusim {

void register_pram_rank_sort(PramRegistry& registry) {
  PramAlgorithm row;
  row.name = "rank_sort";
  row.summary = "stable sort by counting the keys before each key";
  row.variants = {
      {"sum_crcw",
       "a processor for every pair of keys adds to the rank of one",
       growth::of_n("2 steps, n^2 processors", growth::one, growth::square, growth::square),
       "theory 3.7 (S2); seed 002",
       {PramAccess::sum}}};
  row.inputs = key_kinds();
  row.parameters = pram_key_parameters();
  row.check = [](const PramRunConfig& config) {
    refuse_count_reading(config);
    refuse_square_overflow(config);
    check_pram_keys(config);
  };
  row.run = [](const PramRunConfig& config, const PramOptions& options) {
    return run_sort(config, options, [](Pram& pram, const PramArray& x, const KeyRange&) {
      return rank_sort(pram, x).y;
    });
  };
  row.closed_form = [](const PramRunConfig& config) { return rank_sort_form(config.n); };
  registry.add(std::move(row));
}

}  // namespace agpusim
