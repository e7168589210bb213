#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {

void check_keys(const RunConfig& config) { check_keys(config.input, key_shape(config)); }

void check_segments(const RunConfig& config) {
  const Segmentation how = segmentation(config);
  const auto range = config.parameters.find("range");
  const std::int64_t longest =
      std::max(config.n + 1, range != config.parameters.end() ? range->second : 0);
  if (cut(longest, how).per_task > std::int64_t{1} << 30) {
    throw UsageError(
        fmt::format("{}: a task would take {} elements, at most 2^30 are possible; use more tasks "
                    "or a larger p",
                    config.algorithm, cut(longest, how).per_task));
  }
  if (config.n >= std::int64_t{1} << 31) {
    throw UsageError(
        fmt::format("{}: n = {}: counts and places are 32-bit words, at most 2^31 - 1 elements",
                    config.algorithm, config.n));
  }
}

void check_shared_bins(const RunConfig& config) {
  const std::int64_t words = config.parameters.at("range") * element_words(config);
  if (words > config.spec.shared_words) {
    throw UsageError(fmt::format(
        "{} (shared): range = {} bins need {} words of shared memory, but M = {}; use the variant "
        "global, a larger M or a smaller range",
        config.algorithm, config.parameters.at("range"), words, config.spec.shared_words));
  }
}

void complete_integer_row(Algorithm& row) {
  row.types = {"i32"};
  row.inputs = key_kinds();
  row.min_n = 0;
  row.given_values = true;
}

histogram::Bins bins_of(const RunConfig& config) {
  const KeyShape shape = key_shape(config);
  return {shape.n, static_cast<std::int32_t>(shape.min), static_cast<std::int32_t>(shape.range)};
}

std::vector<std::int32_t> bins_of_keys(const RunConfig& config) {
  // Comparisons ask for the same keys for one algorithm after the other.
  struct Last {
    std::string input;
    KeyShape shape;
    std::uint64_t seed = 0;
    std::vector<std::int32_t> bins;
  };
  thread_local Last last;
  const KeyShape shape = key_shape(config);
  if (last.input == config.input && last.shape == shape && last.seed == config.seed) {
    return last.bins;
  }
  std::vector<std::int32_t> bins = generate_keys(config.input, shape, config.seed);
  const auto min = static_cast<std::int32_t>(shape.min);
  for (std::int32_t& key : bins) key = static_cast<std::int32_t>(std::int64_t{key} - min);
  last = {config.input, shape, config.seed, bins};
  return bins;
}

std::uint64_t sorted_keys_checksum(const RunConfig& config) {
  std::vector<std::int32_t> keys = generate_keys(config);
  std::sort(keys.begin(), keys.end());
  return checksum<std::int32_t>(keys);
}

LowerBound integer_sort_bound(const RunConfig& config) {
  const std::int64_t blocks = ceil_div(config.n * element_words(config), config.spec.block_words);
  return io_bound(config, 2 * blocks, "every block is read and every block is written");
}

}  // namespace agpusim
