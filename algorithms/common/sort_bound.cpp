#include "agpusim/algorithms/common/sort_bound.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/pram/logarithms.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {

double sorting_reads_bound(double n, double b, double m) {
  const double memory = std::max(2 * b, m);
  const double told = log2_factorial(memory) - log2_factorial(b) - log2_factorial(memory - b);
  return std::max(0.0, (log2_factorial(n) - n / b * log2_factorial(b)) / told);
}

double sorting_io_bound(double n, double b, double m) {
  return std::max(n / b, sorting_reads_bound(n, b, m)) + n / b;
}

LowerBound comparison_sort_bound(const RunConfig& config) {
  const AgpuSpec& spec = config.spec;
  const ElementSize key = spec.element_size(element_bytes(config.type));
  const auto keys = [&](std::int64_t words) {
    return static_cast<double>(words * key.parts) / key.words;
  };
  const auto n = static_cast<double>(config.n);
  const double b = std::max(1.0, keys(spec.block_words));
  const double m = keys(spec.shared_words + std::int64_t{registers_of_lane} * spec.width);
  const std::int64_t scan = element_blocks(config, config.n);
  const auto reads = static_cast<std::int64_t>(std::ceil(sorting_reads_bound(n, b, m)));
  const double comparisons = log2_factorial(n);
  LowerBound bound;
  bound.io = std::max(scan, reads) + scan;
  bound.time = std::max(ceil_div(bound.io, spec.multiprocessors()),
                        static_cast<std::int64_t>(comparisons / static_cast<double>(spec.cores)));
  bound.source = "Aggarwal and Vitter 1988 (sorting by comparisons, reads and writes); lg n! / p";
  return bound;
}

LowerBound reduction_bound(const RunConfig& config, std::string_view operations) {
  const std::int64_t io = element_blocks(config, config.n) + 1;
  return {io,
          std::max({ceil_div(io, config.spec.multiprocessors()),
                    ceil_div(config.n - 1, config.spec.cores), ceil_lg(config.n)}),
          fmt::format("every block is read and one written; fan-in 2 needs lg n steps and n-1 {}",
                      operations)};
}

}  // namespace agpusim
