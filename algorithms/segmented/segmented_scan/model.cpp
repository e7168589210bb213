#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/segmented/row.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

using namespace segmented;

/// Pieces end at blocks where V does; each leaves a value and a count in a block of its own.
std::optional<std::int64_t> blocks_moved(const RunConfig& config) {
  const std::int32_t b = config.spec.block_words;
  const bool heads_share_words = config.spec.element_size(sizeof(std::uint32_t)).parts > 1;
  if (config.n == 0 || config.spec.width % b != 0 || b % element_words(config) != 0 ||
      heads_share_words) {
    return std::nullopt;
  }
  const std::int64_t pieces = scan::cut_of_run(config).host().tasks;
  const Blocks elements = blocks_of(config, config.n);
  const Blocks partials = blocks_of(config, pieces);
  const std::int64_t warps = config.spec.width / b;
  return 3 * elements.values + 2 * elements.heads + 2 * pieces * (1 + warps) +
         2 * (partials.values + partials.heads);
}

}  // namespace

void register_segmented_scan(Registry& registry) {
  Algorithm row = row_of("segmented_scan", Result::prefixes);
  row.summary = "inclusive prefixes within segments that begin at head flags: a scan of pairs";
  row.io = {"5n/b + O(k)", [](const Symbols& s) { return 5 * s.n / s.b + 8 * s.k; }};
  row.formulas = {formula_of_io(
      "3 ceil(nW/b) + 2 ceil(n/b) + 2k(1 + V/b) + 2 ceil(kW/b) + 2 ceil(k/b) for k pieces and "
      "values of W words",
      blocks_moved)};
  row.program = segmented_scan::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

}  // namespace agpusim
