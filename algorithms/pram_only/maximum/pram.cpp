#include <algorithm>

#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/maximum.hpp"
#include "agpusim/algorithms/common/pram/numbers.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"
#include "agpusim/algorithms/common/pram/tree.hpp"
#include "agpusim/algorithms/registry.hpp"

namespace agpusim {
namespace {

using Numbers = std::vector<std::int64_t>;

Numbers reference(const Numbers& x) {
  if (x.empty()) return {};
  std::int64_t largest = x.front();
  for (const std::int64_t value : x) {
    if (value > largest) largest = value;
  }
  return {largest};
}

Numbers program(const RunConfig& config, Pram& pram, const PramArray& x) {
  if (x.size() == 0) return {};
  if (config.variant == "max_crcw") {
    const PramArray maximum = pram.array(1, "maximum");
    pram.step("write all", x.size(),
              [&](PramProcessor& p) { p.write(maximum, 0, p.read(x, p.id())); });
    return pram.values(maximum);
  }
  if (config.variant == "common_quadratic") return pram.values(maximum_of_all_pairs(pram, x));
  if (config.variant == "doubly_log") return pram.values(maximum_by_growing_groups(pram, x));
  fold_by_tree(pram, x, "winners of pairs",
               [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
  return {pram.values(x).front()};
}

PramForm closed_form(const RunConfig& config) {
  if (config.variant == "max_crcw") return step_form(config.n);
  if (config.variant == "common_quadratic") return maximum_of_all_pairs_form(config.n);
  if (config.variant == "doubly_log") return maximum_by_growing_groups_form(config.n);
  return tree_form(config.n);
}

}  // namespace

void register_pram_maximum(Registry& registry) {
  // A cell that several processors write 1 to is not 0 afterwards.
  const std::vector<PramAccess> flags = {
      PramAccess::common, PramAccess::arbitrary, PramAccess::priority, PramAccess::sum,
      PramAccess::max,    PramAccess::min,       PramAccess::bit_or};
  PramSide row =
      side_on_numbers({number_kinds(), generate_numbers}, program, reference, closed_form);
  row.summary = "largest of n numbers";
  row.variants = {
      pram_variant(
          "max_crcw", "every processor writes its number to one cell",
          growth::of_n("1 step, n processors", growth::one, growth::linear, growth::linear),
          "theory 2.2", {PramAccess::max}),
      pram_variant(
          "common_quadratic", "all pairs are compared at once",
          growth::of_n("3 steps, n^2 processors", growth::one, growth::square, growth::square),
          "theory 3.13; Shiloach and Vishkin, J. Algorithms 2(1), 1981", flags),
      pram_variant("doubly_log", "all pairs in groups of floor(2n/m)+1 of the m candidates",
                   growth::of_n("3 steps a round, O(log log n) rounds, n processors",
                                growth::log_log, growth::linear, growth::m_log_log),
                   "theory 3.13; Valiant, SIAM J. Comput. 4(3), 1975", flags),
      pram_variant("tournament", "the larger of each pair goes on, in place",
                   growth::of_n("ceil(lg n) steps, floor(n/2) processors, work n-1", growth::log,
                                growth::linear, growth::linear),
                   "theory 3.13", machines_of_erew())};
  row.check = [usual = row.check](const RunConfig& config) {
    if (config.variant == "common_quadratic") refuse_square_overflow(config);
    usual(config);
  };
  registry.add("maximum", std::move(row));
}

}  // namespace agpusim
