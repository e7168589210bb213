#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/numbers.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"
#include "agpusim/algorithms/common/pram/tree.hpp"
#include "agpusim/algorithms/common/pram/words.hpp"
#include "agpusim/algorithms/registry.hpp"

namespace agpusim {
namespace {

using Numbers = std::vector<std::int64_t>;

Numbers reference(const Numbers& x) {
  std::int64_t sum = 0;
  for (const std::int64_t value : x) sum += value;
  return {sum};
}

bool is_tree(const RunConfig& config) { return config.variant == "tree"; }

Numbers program(const RunConfig& config, Pram& pram, const PramArray& x) {
  if (x.size() == 0) return {0};
  if (is_tree(config)) {
    fold_by_tree(pram, x, "add pairs", add_words);
    return {pram.values(x).front()};
  }
  const PramArray sum = pram.array(1, "sum");
  pram.step("add all", x.size(), [&](PramProcessor& p) { p.write(sum, 0, p.read(x, p.id())); });
  return pram.values(sum);
}

PramForm closed_form(const RunConfig& config) {
  return is_tree(config) ? tree_form(config.n) : step_form(config.n);
}

}  // namespace

void register_pram_sum(Registry& registry) {
  PramSide row =
      side_on_numbers({number_kinds(), generate_numbers}, program, reference, closed_form);
  row.summary = "sum of n numbers";
  row.variants = {pram_variant("sum_crcw", "every processor writes its number to one cell",
                               growth::of_n("1 step, n processors", growth::one, growth::linear,
                                            growth::linear),
                               "theory 3.1", {PramAccess::sum}),
                  pram_variant("tree", "pairs are added until one number is left, in place",
                               growth::of_n("ceil(lg n) steps, floor(n/2) processors, work n-1",
                                            growth::log, growth::linear, growth::linear),
                               "balanced binary tree", machines_of_erew())};
  registry.add("sum", std::move(row));
}

}  // namespace agpusim
