#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/histogram.hpp"
#include "agpusim/algorithms/common/pram/keys.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"

namespace agpusim {
namespace {

using Numbers = std::vector<std::int64_t>;

/// On such a machine no write leaves 0 in a cell: the bins must start at 0.
bool counts_writers(const PramRunConfig& config) { return config.machine.sum == SumReading::count; }

Numbers program(const PramRunConfig& config, Pram& pram, const PramArray& x) {
  const KeyShape shape = pram_key_shape(config);
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

PramRunResult run(const PramRunConfig& config, const PramOptions& options) {
  const KeyShape shape = pram_key_shape(config);
  return run_pram(
      config, options, generate_pram_keys,
      [&](Pram& pram, const PramArray& x) { return program(config, pram, x); },
      [&](const Numbers& keys) {
        Numbers h(static_cast<std::size_t>(shape.range), 0);
        for (const std::int64_t key : keys) ++h[static_cast<std::size_t>(key - shape.min)];
        return h;
      });
}

PramForm closed_form(const PramRunConfig& config) {
  const std::int64_t cleared = counts_writers(config) ? 0 : pram_key_shape(config).range;
  return sequence_form({step_form(cleared), step_form(config.n)});
}

}  // namespace

void register_pram_histogram(PramRegistry& registry) {
  PramAlgorithm row;
  row.name = "histogram";
  row.summary = "how often each value of a range occurs among n keys";
  row.variants = {{"sum_crcw",
                   "bins are cleared, then every processor adds 1; a machine that counts writers "
                   "cannot clear and starts with empty bins",
                   growth::of_m("2 steps (1 when writers are counted), max(n, range) processors",
                                growth::one, growth::linear, growth::linear),
                   "theory 3.1; seed 000",
                   {PramAccess::sum}}};
  row.inputs = key_kinds();
  row.parameters = pram_key_parameters();
  row.check = check_pram_keys;
  row.run = run;
  row.closed_form = closed_form;
  registry.add(std::move(row));
}

}  // namespace agpusim
