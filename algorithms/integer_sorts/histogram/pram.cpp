#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/histogram.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"
#include "agpusim/algorithms/registry.hpp"

namespace agpusim {
namespace {

using Numbers = std::vector<std::int64_t>;

/// On such a machine no write leaves 0 in a cell: the bins must start at 0.
bool counts_writers(const RunConfig& config) { return config.pram->sum == SumReading::count; }

Numbers program(const RunConfig& config, Pram& pram, const PramArray& x) {
  const KeyShape shape = key_shape(config);
  if (counts_writers(config)) {
    const Numbers empty(static_cast<std::size_t>(shape.range), 0);
    const PramArray h = pram.array(empty, "h");
    count_values(pram, "count", x, shape.min, h);
    return pram.values(h);
  }
  const PramArray h = pram.array(shape.range, "h");
  clear(pram, "clear the bins", h);
  count_values(pram, "count", x, shape.min, h);
  return pram.values(h);
}

Numbers reference(const RunConfig& config, const Numbers& keys) {
  const KeyShape shape = key_shape(config);
  Numbers h(static_cast<std::size_t>(shape.range), 0);
  for (const std::int64_t key : keys) ++h[static_cast<std::size_t>(key - shape.min)];
  return h;
}

PramForm closed_form(const RunConfig& config) {
  const std::int64_t cleared = counts_writers(config) ? 0 : key_shape(config).range;
  return sequence_form({step_form(cleared), step_form(config.n)});
}

}  // namespace

void register_pram_histogram(Registry& registry) {
  PramSide row =
      side_on_numbers({key_kinds(), generate_pram_keys}, program, reference, closed_form);
  row.summary = "how often each value of a range occurs among n keys";
  row.variants = {
      pram_variant("sum_crcw",
                   "bins are cleared, then every processor adds 1; a machine that counts writers "
                   "cannot clear and starts with empty bins",
                   growth::of_m("2 steps (1 when writers are counted), max(n, range) processors",
                                growth::one, growth::linear, growth::linear),
                   "theory 3.1; seed 000", {PramAccess::sum})};
  row.parameters = key_parameters();
  row.check = [](const RunConfig& config) { check_keys(config); };
  registry.add("histogram", std::move(row));
}

}  // namespace agpusim
