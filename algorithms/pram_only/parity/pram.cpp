#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/numbers.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"
#include "agpusim/algorithms/common/pram/tree.hpp"
#include "agpusim/algorithms/registry.hpp"

namespace agpusim {
namespace {

using Numbers = std::vector<std::int64_t>;

Numbers reference(const Numbers& bits) {
  bool odd = false;
  for (const std::int64_t bit : bits) odd = odd != (bit == 1);
  return {odd ? 1 : 0};
}

Numbers by_xor(Pram& pram, const PramArray& x) {
  const PramArray parity = pram.array(1, "parity");
  pram.step("combine all", x.size(),
            [&](PramProcessor& p) { p.write(parity, 0, p.read(x, p.id())); });
  return pram.values(parity);
}

/// Only ones are written, so it makes no difference whether the machine sums values or counts
/// writers; one that combines by exclusive or counts modulo 2. Both cells start at 0: a PRAM that
/// counts writers cannot clear a cell.
Numbers by_sum(Pram& pram, const PramArray& x) {
  const Numbers zero = {0};
  const PramArray ones = pram.array(zero, "ones");
  const PramArray parity = pram.array(zero, "parity");
  pram.step("count the ones", x.size(), [&](PramProcessor& p) {
    if (p.read(x, p.id()) == 1) p.write(ones, 0, 1);
  });
  pram.step("modulo 2", 1, [&](PramProcessor& p) {
    if (p.read(ones, 0) % 2 == 1) p.write(parity, 0, 1);
  });
  return pram.values(parity);
}

Numbers by_tree(Pram& pram, const PramArray& x) {
  fold_by_tree(pram, x, "combine pairs", [](std::int64_t a, std::int64_t b) { return a ^ b; });
  return {pram.values(x).front()};
}

Numbers program(const RunConfig& config, Pram& pram, const PramArray& x) {
  if (x.size() == 0) return {0};
  if (config.variant == "xor_crcw") return by_xor(pram, x);
  return config.variant == "sum_crcw" ? by_sum(pram, x) : by_tree(pram, x);
}

PramForm closed_form(const RunConfig& config) {
  if (config.n == 0) return {};
  if (config.variant == "xor_crcw") return step_form(config.n);
  if (config.variant == "sum_crcw") return sequence_form({step_form(config.n), step_form(1)});
  return tree_form(config.n);
}

}  // namespace

void register_pram_parity(Registry& registry) {
  PramSide row = side_on_numbers({bit_kinds(), generate_bits}, program, reference, closed_form);
  row.summary = "exclusive or of n bits";
  row.variants = {
      pram_variant(
          "xor_crcw", "every processor writes its bit to one cell",
          growth::of_n("1 step, n processors", growth::one, growth::linear, growth::linear),
          "theory 2.2", {PramAccess::bit_xor}),
      pram_variant(
          "sum_crcw", "the ones are counted, also by a machine that counts writers",
          growth::of_n("2 steps, n processors", growth::one, growth::linear, growth::linear),
          "theory 2.3", {PramAccess::sum, PramAccess::bit_xor}),
      pram_variant("tree", "pairs are combined until one bit is left, in place",
                   growth::of_n("ceil(lg n) steps, floor(n/2) processors, work n-1", growth::log,
                                growth::linear, growth::linear),
                   "balanced binary tree", machines_of_erew())};
  row.check = [](const RunConfig& config) {
    if (config.variant != "sum_crcw") refuse_count_reading(config);
    if (is_given(config.input)) static_cast<void>(generate_bits(config));
  };
  registry.add("parity", std::move(row));
}

}  // namespace agpusim
