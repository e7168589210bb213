#include <algorithm>

#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/maximum.hpp"
#include "agpusim/algorithms/common/pram/numbers.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"
#include "agpusim/algorithms/common/pram/tree.hpp"

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

Numbers program(const PramRunConfig& config, Pram& pram, const PramArray& x) {
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

PramRunResult run(const PramRunConfig& config, const PramOptions& options) {
  return run_pram(
      config, options, generate_numbers,
      [&](Pram& pram, const PramArray& x) { return program(config, pram, x); }, reference);
}

PramForm closed_form(const PramRunConfig& config) {
  if (config.variant == "max_crcw") return step_form(config.n);
  if (config.variant == "common_quadratic") return maximum_of_all_pairs_form(config.n);
  if (config.variant == "doubly_log") return maximum_by_growing_groups_form(config.n);
  return tree_form(config.n);
}

}  // namespace

void register_pram_maximum(PramRegistry& registry) {
  // A cell that several processors write 1 to is not 0 afterwards.
  const std::vector<PramAccess> flags = {
      PramAccess::common, PramAccess::arbitrary, PramAccess::priority, PramAccess::sum,
      PramAccess::max,    PramAccess::min,       PramAccess::bit_or};
  PramAlgorithm row;
  row.name = "maximum";
  row.summary = "largest of n numbers";
  row.variants = {
      {"max_crcw",
       "every processor writes its number to one cell",
       growth::of_n("1 step, n processors", growth::one, growth::linear, growth::linear),
       "theory 2.2",
       {PramAccess::max}},
      {"common_quadratic", "all pairs are compared at once",
       growth::of_n("3 steps, n^2 processors", growth::one, growth::square, growth::square),
       "theory 3.13; Shiloach and Vishkin, J. Algorithms 2(1), 1981", flags},
      {"doubly_log", "all pairs in groups of floor(2n/m)+1 of the m candidates",
       growth::of_n("3 steps a round, O(log log n) rounds, n processors", growth::log_log,
                    growth::linear, growth::m_log_log),
       "theory 3.13; Valiant, SIAM J. Comput. 4(3), 1975", flags},
      {"tournament", "the larger of each pair goes on, in place",
       growth::of_n("ceil(lg n) steps, floor(n/2) processors, work n-1", growth::log,
                    growth::linear, growth::linear),
       "theory 3.13", machines_of_erew()}};
  row.inputs = number_kinds();
  row.check = [](const PramRunConfig& config) {
    refuse_count_reading(config);
    if (config.variant == "common_quadratic") refuse_square_overflow(config);
    if (has_given_values(config)) static_cast<void>(generate_numbers(config));
  };
  row.run = run;
  row.closed_form = closed_form;
  registry.add(std::move(row));
}

}  // namespace agpusim
