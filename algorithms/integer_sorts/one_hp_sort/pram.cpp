#include <map>

#include <fmt/format.h>

#include "agpusim/algorithms/common/pram/sequential_sorts.hpp"
#include "agpusim/algorithms/common/pram/sort_rows.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

void check(const RunConfig& config) {
  refuse_count_reading(config);
  check_keys(config);
  const KeyShape shape = key_shape(config);
  if (shape.n > shape.range) {
    throw UsageError(
        fmt::format("one_hp_sort needs distinct keys, but n = {} keys are more than range = {} "
                    "values; use a larger range, or hp_sort",
                    shape.n, shape.range));
  }
  if (config.input == "distinct") return;
  std::map<std::int64_t, std::size_t> place;
  const std::vector<std::int64_t> keys = generate_pram_keys(config);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto [first, is_new] = place.emplace(keys[i], i);
    if (!is_new) {
      throw UsageError(
          fmt::format("one_hp_sort needs distinct keys, but x[{}] = x[{}] = {}; use --input "
                      "distinct, or hp_sort",
                      first->second, i, keys[i]));
    }
  }
}

}  // namespace

void register_pram_one_hp_sort(Registry& registry) {
  PramSide row =
      integer_sort_row("1-H-P sort of distinct integer keys: one histogram and one prefix sum", 3,
                       1, "theory 3.4; seed 000, algorithm 3");
  add_sequential_variant(row, "n + 3 range", "seed 000, theorem 2; theory 3.4");
  row.inputs = {"distinct", "sorted", "reversed"};
  row.check = check;
  row.run = [](const RunConfig& config, const PramOptions& options) {
    return run_sort(config, options, [&](Pram& pram, const PramArray& x, const KeyRange& keys) {
      if (config.variant == sequential_variant) return sequential_one_hp_sort(pram, x, keys);
      return one_hp_sort(pram, x, keys, parse_prefix_sums(config.variant)).y;
    });
  };
  row.closed_form = [](const RunConfig& config) {
    const std::int64_t range = key_shape(config).range;
    if (config.variant == sequential_variant) return sequential_one_hp_sort_form(config.n, range);
    return one_hp_sort_form(config.n, range, parse_prefix_sums(config.variant));
  };
  registry.add("one_hp_sort", std::move(row));
}

}  // namespace agpusim
