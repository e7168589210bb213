#include "agpusim/commands/bounds/sort_bounds.hpp"

#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/sort_bound.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/rows/evaluate.hpp"

namespace agpusim {
namespace {

constexpr const char* ways = "d";

/// The run with as many ways, a power of two, as the row accepts on this machine. Throws UsageError
/// when it does not accept two.
RunConfig with_most_ways(const Algorithm& algorithm, RunConfig config) {
  const AgpuSpec& spec = config.spec;
  for (std::int64_t d = floor_power_of_two(spec.shared_words / spec.block_words); d > 2; d /= 2) {
    config.parameters[ways] = d;
    try {
      return resolve(algorithm, config);
    } catch (const UsageError&) {
      // Too many ways for M: fewer may fit.
    }
  }
  config.parameters[ways] = 2;
  return resolve(algorithm, config);
}

/// The run of `sort`. Throws UsageError when the registry or the row refuses it.
RunConfig run_of(const Registry& registry, const BoundedSort& sort, std::int64_t n,
                 const AgpuSpec& spec) {
  const Algorithm& algorithm = registry.find(sort.algorithm);
  RunConfig config;
  config.algorithm = sort.algorithm;
  config.variant = sort.variant;
  config.type = "u32";
  config.input.clear();
  config.n = n;
  config.spec = spec;
  if (sort.parameter != ways) return resolve(algorithm, config);
  config.parameters["rows"] = 1;
  config.parameters["tile"] = spec.block_words;
  return with_most_ways(algorithm, config);
}

SortIo io_of(const Registry& registry, const BoundedSort& sort, std::int64_t n,
             const AgpuSpec& spec) {
  SortIo result;
  try {
    result.config = run_of(registry, sort, n, spec);
  } catch (const UsageError& refusal) {
    result.refusal = refusal.what();
    return result;
  }
  const Algorithm& algorithm = registry.find(sort.algorithm);
  for (const Formula& formula : algorithm.formulas) {
    if (formula.name == "Q") result.io = formula.value(result.config);
  }
  if (!result.io) {
    const Row row = evaluate({sort.algorithm, &algorithm, result.config}, {});
    row.require_counted();
    result.io = row.count("Q");
  }
  return result;
}

}  // namespace

const std::vector<BoundedSort>& bounded_sorts() {
  static const std::vector<BoundedSort> sorts = {
      {"bitonic", "bitonic_sort", "", "tile", "tile: the largest power of two up to M"},
      {"WarpSort", "gpu_warpsort", "merges", "", "merges of two runs, the first of b keys"},
      {"K-S", "multiway_merge_sort", "heap", ways,
       "merges of d runs, the first of b keys, with buffers of b keys"},
      {"K-S 2b", "multiway_merge_sort", "heap_2b", ways, "the same with buffers of 2b keys"},
  };
  return sorts;
}

SortBoundsRow sort_bounds(const Registry& registry, std::int64_t n, std::int32_t block_words,
                          std::int64_t shared_words) {
  AgpuSpec spec;
  spec.cores = block_words;  // one multiprocessor: Q does not depend on p
  spec.block_words = block_words;
  spec.shared_words = shared_words;
  spec.width = block_words;
  validate(spec);
  SortBoundsRow row;
  row.n = n;
  row.block_words = block_words;
  row.shared_words = shared_words;
  const auto keys = static_cast<double>(n);
  row.total = sorting_io_bound(keys, block_words, static_cast<double>(shared_words));
  row.reads = row.total - keys / block_words;
  for (const BoundedSort& sort : bounded_sorts()) {
    row.sorts.push_back(io_of(registry, sort, n, spec));
  }
  return row;
}

}  // namespace agpusim
