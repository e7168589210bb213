#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"
#include "agpusim/algorithms/common/pram/tree.hpp"
#include "agpusim/algorithms/registry.hpp"

namespace agpusim {
namespace {

using Numbers = std::vector<std::int64_t>;

/// One of the two connectives of n bits.
struct Connective {
  std::string name;
  std::string summary;
  std::int64_t decisive = 0;          ///< a single bit of this value decides
  std::vector<PramAccess> combining;  ///< machines whose cells receive the result
  /// Machines of which a cell holds v after any number of processors wrote v = `decisive`.
  std::vector<PramAccess> agreeing;
};

Numbers program(const Connective& connective, const std::string& variant, Pram& pram,
                const PramArray& x) {
  const std::int64_t decisive = connective.decisive;
  if (x.size() == 0) return {1 - decisive};
  if (variant == "tree") {
    fold_by_tree(pram, x, "pairs",
                 [=](std::int64_t a, std::int64_t b) { return decisive == 1 ? a | b : a & b; });
    return {pram.values(x).front()};
  }
  const PramArray result = pram.array(1, "result");
  if (variant == "combining") {
    pram.step("write all", x.size(),
              [&](PramProcessor& p) { p.write(result, 0, p.read(x, p.id())); });
    return pram.values(result);
  }
  pram.step("assume none", 1, [&](PramProcessor& p) { p.write(result, 0, 1 - decisive); });
  pram.step("write if decisive", x.size(), [&](PramProcessor& p) {
    if (p.read(x, p.id()) == decisive) p.write(result, 0, decisive);
  });
  return pram.values(result);
}

PramForm closed_form(const RunConfig& config) {
  if (config.n == 0) return {};
  if (config.variant == "tree") return tree_form(config.n);
  if (config.variant == "combining") return step_form(config.n);
  return sequence_form({step_form(1), step_form(config.n)});
}

void add_row(Registry& registry, const Connective& connective) {
  PramSide row = side_on_numbers(
      {bit_kinds(), generate_bits},
      [connective](const RunConfig& config, Pram& pram, const PramArray& x) {
        return program(connective, config.variant, pram, x);
      },
      [decisive = connective.decisive](const Numbers& bits) -> Numbers {
        const bool decided = std::find(bits.begin(), bits.end(), decisive) != bits.end();
        return {decided ? decisive : 1 - decisive};
      },
      closed_form);
  row.summary = connective.summary;
  row.variants = {
      pram_variant(
          "common", "a result is assumed, and every processor that knows better says so",
          growth::of_n("2 steps, n processors", growth::one, growth::linear, growth::linear),
          "theory 2.2", connective.agreeing),
      pram_variant(
          "combining", "every processor writes its bit to one cell",
          growth::of_n("1 step, n processors", growth::one, growth::linear, growth::linear),
          "theory 2.2", connective.combining),
      pram_variant("tree", "pairs are combined until one bit is left, in place",
                   growth::of_n("ceil(lg n) steps, floor(n/2) processors, work n-1", growth::log,
                                growth::linear, growth::linear),
                   "balanced binary tree; theory 2.2: CREW needs as many steps",
                   machines_of_erew())};
  registry.add(connective.name, std::move(row));
}

}  // namespace

void register_pram_or_and(Registry& registry) {
  add_row(registry, {"or",
                     "whether any of n bits is 1",
                     1,
                     {PramAccess::bit_or, PramAccess::max},
                     {PramAccess::common, PramAccess::arbitrary, PramAccess::priority,
                      PramAccess::max, PramAccess::min, PramAccess::bit_or}});
  add_row(registry,
          {"and",
           "whether all of n bits are 1",
           0,
           {PramAccess::min},
           {PramAccess::common, PramAccess::arbitrary, PramAccess::priority, PramAccess::sum,
            PramAccess::max, PramAccess::min, PramAccess::bit_or, PramAccess::bit_xor}});
}

}  // namespace agpusim
