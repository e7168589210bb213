#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "agpusim/algorithms/bitonic_sort/program.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/sort_reference.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

using namespace bitonic_sort;

/// S: the largest power of two whose keys fit into M words.
std::int64_t default_tile(const RunConfig& config) {
  return floor_power_of_two(
      std::max<std::int64_t>(1, config.spec.shared_words / element_words(config)));
}

void check(const RunConfig& config) {
  const AgpuSpec& spec = config.spec;
  const std::int64_t tile = config.parameters.at("tile");
  const std::int64_t words = element_words(config);
  check_powers_of_two(config);
  if (!is_power_of_two(tile) || tile < spec.block_words || tile < 2) {
    throw UsageError(fmt::format("tile = {}: must be a power of two, at least b = {} and 2", tile,
                                 spec.block_words));
  }
  if (tile * words > spec.shared_words) {
    throw UsageError(fmt::format("tile = {} keys of {} words do not fit into M = {} words", tile,
                                 words, spec.shared_words));
  }
  if (!is_power_of_two(config.parameters.at("rows"))) {
    throw UsageError(
        fmt::format("rows = {}: must be a power of two", config.parameters.at("rows")));
  }
}

}  // namespace

void register_bitonic_sort(Registry& registry) {
  Algorithm row = comparison_sort_row();
  row.name = "bitonic_sort";
  row.family = "comparison sorts";
  row.summary =
      "Batcher's bitonic network: tiles in shared memory, long distances in global memory";
  row.source = "Batcher 1968; on AGPU: Koike and Sadakane 2013, section 3.2";
  row.time = {"Theta((n/p) log^2 n)",
              [](const Symbols& s) { return s.n / s.p * lg(s.n) * lg(s.n); }};
  row.io = {"(2n/b)(1 + mu(mu+3)/2), mu = lg(n/S)", [](const Symbols& s) {
              const double mu = std::max(0.0, std::ceil(std::log2(s.n / s["tile"])));
              return 2 * s.n / s.b * (1 + mu * (mu + 3) / 2);
            }};
  row.parameters = {
      {"tile", "S, keys sorted in shared memory at a time (a power of two)", default_tile},
      {"rows", "rows of V comparators of a task in a global stage (a power of two)",
       [](const RunConfig&) { return std::int64_t{8}; }}};
  row.peers = {"cub_merge_sort", "cub_radix_sort_keys", "few_values_sort"};
  row.check = check;
  row.program = bitonic_sort::make_program<SimulatedDevice>;
  row.formulas = {formula_of_io(
      "(2n/b)(1 + mu(mu+3)/2), mu = lg(n/S), for powers of two",
      [](const RunConfig& config) -> std::optional<std::int64_t> {
        const std::int64_t tile = config.parameters.at("tile");
        if (!is_power_of_two(config.n) || config.n < tile) return std::nullopt;
        const std::int64_t mu = std::countr_zero(static_cast<std::uint64_t>(config.n / tile));
        return 2 * blocks_requested(config, config.n) * (1 + mu * (mu + 3) / 2);
      })};
  registry.add(std::move(row));
}

}  // namespace agpusim
