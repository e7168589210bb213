#include "agpusim/algorithms/merge_sort/pivots_shape.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/merge_sort/shape.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::multiway_merge_sort {
namespace {

constexpr std::int64_t most_places = std::int64_t{1}
                                     << 30;  // limit of an array, its indices have 32 bits

/// Elements of so many words in a block.
std::int64_t block_of(const AgpuSpec& spec, std::int64_t words) {
  return std::max<std::int64_t>(1, spec.block_words / words);
}

std::int64_t rounded_up(std::int64_t x, std::int64_t unit) { return ceil_div(x, unit) * unit; }

/// h, the keys of a run when the first half ends.
std::int64_t run_to_distribute(const Shape& shape) {
  std::int64_t run = shape.tile;
  while (runs_of(shape, run) > shape.runs) run <<= levels_of_round(shape, run);
  return run;
}

/// n in blocks.
std::int64_t blocks_of(const RunConfig& config) {
  return config.n * element_words(config) / config.spec.block_words;
}

}  // namespace

std::optional<Distribution> distribution_of(const RunConfig& config) {
  const Shape shape = shape_of(config);
  const std::int64_t run = run_to_distribute(shape);
  const std::int64_t runs = runs_of(shape, run);
  if (runs < 2) return std::nullopt;
  Distribution result;
  result.n = shape.n;
  result.run = static_cast<std::int32_t>(run);
  result.runs = static_cast<std::int32_t>(runs);
  result.pivots = shape.pivots;
  result.list = static_cast<std::int32_t>(
      rounded_up(shape.pivots, block_of(config.spec, element_words(config))));
  result.stride = static_cast<std::int32_t>(
      rounded_up(result.regions(),
                 block_of(config.spec, config.spec.words_per_element(sizeof(std::int32_t)))));
  return result;
}

std::int64_t default_runs(const RunConfig& config) {
  const std::int64_t k = config.spec.multiprocessors();
  const std::int64_t blocks = blocks_of(config);
  auto runs =
      static_cast<std::int64_t>(std::sqrt(static_cast<double>(blocks) / static_cast<double>(k)));
  while ((k * runs + 1) * runs > blocks) --runs;
  return std::clamp<std::int64_t>(runs, 2, std::max<std::int64_t>(2, k));
}

std::int64_t default_pivots(const RunConfig& config) {
  for (const char* const name : {"tile", "runs"}) {
    if (config.parameters.at(name) > most_places) return 0;  // check() refuses it
  }
  RunConfig any = config;
  any.parameters["pivots"] = 1;
  const Shape shape = shape_of(any);
  const std::int64_t runs = runs_of(shape, run_to_distribute(shape));
  if (runs < 2) return 0;
  return std::min(2 * config.spec.multiprocessors(), (blocks_of(config) / runs - 1) / runs);
}

void check_pivots(const RunConfig& config) {
  for (const char* const name : {"runs", "pivots"}) {
    if (const std::int64_t value = config.parameters.at(name); value > most_places) {
      throw UsageError(fmt::format("{} = {}: at most 2^30", name, value));
    }
  }
  const Shape shape = shape_of(config);
  const std::int64_t runs = runs_of(shape, run_to_distribute(shape));
  if (runs < 2) return;
  const std::int64_t pivots = config.parameters.at("pivots");
  if (pivots > (most_places / (runs + 1) - config.spec.block_words) / runs) {
    throw UsageError(
        fmt::format("pivots = {}: the cuts of {} runs at {} pivots of each are more than 2^30; use "
                    "fewer pivots",
                    pivots, runs, pivots));
  }
}

}  // namespace agpusim::multiway_merge_sort
