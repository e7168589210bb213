#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/sorted_search/program.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

void check(const RunConfig& config) {
  if (config.n > std::int64_t{1} << 30) {
    throw UsageError(fmt::format("sorted_search: n = {}: at most 2^30 keys and needles", config.n));
  }
}

std::uint64_t reference(const RunConfig& config) {
  return with_element_type(config.type, [&]<class Key>(Key) {
    const std::vector<Key> keys = sorted_search::operand<Key>(config, 0);
    std::vector<std::int32_t> ranks;
    for (const Key needle : sorted_search::operand<Key>(config, 1)) {
      ranks.push_back(static_cast<std::int32_t>(std::lower_bound(keys.begin(), keys.end(), needle) -
                                                keys.begin()));
    }
    return checksum<std::int32_t>(ranks);
  });
}

LowerBound lower_bound(const RunConfig& config) {
  const std::int64_t needles = element_blocks(config, config.n);
  const std::int64_t ranks = config.spec.blocks_of(config.n, 4);
  return lower_bound_of_io(config, needles + ranks,
                           "every block of needles is read and every block of ranks written");
}

}  // namespace

void register_sorted_search(Registry& registry) {
  Algorithm row;
  row.name = "sorted_search";
  row.family = "searches and tables";
  row.summary =
      "for each of n sorted needles how many of n sorted keys are below it: binary search";
  row.source = "seed 004, section 3.5 (ModernGPU's sortedsearch); theory 3.14";
  row.time = {"Theta((n/p) log n)", [](const Symbols& s) { return s.n / s.p * lg(s.n); }};
  row.io = {"Theta((n/b) log n)", [](const Symbols& s) { return s.n / s.b * lg(s.n); }};
  row.types = {"u32", "u64"};
  row.inputs = input_kinds();
  row.check = check;
  row.program = sorted_search::make_program<SimulatedDevice>;
  row.reference = reference;
  row.lower_bound = lower_bound;
  registry.add(std::move(row));
}

}  // namespace agpusim
