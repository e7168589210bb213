#include "agpusim/algorithms/fused_bitonic_sort/cost.hpp"

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/fused_bitonic_sort/pass_cost.hpp"
#include "agpusim/algorithms/fused_bitonic_sort/shape.hpp"
#include "agpusim/algorithms/fused_bitonic_sort/tile_cost.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::fused_bitonic_sort {

std::vector<PhaseForm> closed_form(const RunConfig& config) {
  const AgpuSpec& spec = config.spec;
  const Shape shape = shape_of(config);
  const std::int64_t words = element_words(config);
  const std::int32_t q = lg(shape.registers);
  const std::int64_t tile = std::int64_t{1} << shape.tile_bits;
  const TileCost in_tile(spec, shape.tile_bits, q, words);
  const TileCost in_lanes(spec, shape.task_bits, q, words);
  const auto tile_phase = [&](const char* name, std::int64_t n, auto cost) {
    const std::int64_t tiles = ceil_div(n, tile);
    return form_of_equal_tasks(spec, name, tiles, cost(tile), cost(n - (tiles - 1) * tile),
                               tile * words);
  };
  std::vector<PhaseForm> phases;
  if (config.n == 0) return phases;
  phases.push_back(
      tile_phase("tile_sort", config.n, [&](std::int64_t length) { return in_tile.sort(length); }));
  for (std::int64_t half = tile; half < config.n; half *= 2) {
    // A last block without a second half has nothing to merge.
    const std::int64_t last = config.n % (2 * half);
    const std::int64_t n = last > half ? config.n : config.n - last;
    std::int32_t high = lg(half) + 1;
    std::int32_t left = high - shape.tile_bits;
    for (std::int64_t passes = ceil_div(left, shape.strides); passes > 0; --passes) {
      const auto strides = static_cast<std::int32_t>(ceil_div(left, passes));
      const bool small = strides <= q;
      phases.push_back(PassCost(spec, small ? in_lanes : in_tile,
                                small ? shape.task_bits : shape.tile_bits, words, n, high, strides,
                                half == std::int64_t{1} << (high - 1))
                           .form());
      high -= strides;
      left -= strides;
    }
    phases.push_back(
        tile_phase("tile_merge", n, [&](std::int64_t length) { return in_tile.merge(length); }));
  }
  return phases;
}

}  // namespace agpusim::fused_bitonic_sort
