#include <cstdint>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/sort_reference.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/merge_sorted/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

using merge_sorted::keys_of_lane;

void check(const RunConfig& config) {
  if (config.n > std::int64_t{1} << 29) {
    throw UsageError(fmt::format("merge_sorted: n = {}: at most 2^29 keys", config.n));
  }
  const std::int64_t words =
      (std::int64_t{keys_of_lane} * config.spec.width + 1) * element_words(config);
  if (config.variant != "ranks" && words > config.spec.shared_words) {
    throw UsageError(
        fmt::format("merge_sorted (merge_path): a tile of {} keys for each of V = {} lanes needs "
                    "{} words of shared memory, but M = {}; use a smaller V, a larger M or the "
                    "variant ranks",
                    keys_of_lane, config.spec.width, words, config.spec.shared_words));
  }
}

/// Diagonals at which arrays are cut, each by a binary search.
double diagonals(const Symbols& s) { return s.n / (keys_of_lane * s.width); }

LowerBound lower_bound(const RunConfig& config) {
  const std::int64_t blocks = element_blocks(config, config.n);
  return lower_bound_of_io(config, 2 * blocks, "every block is read and every block is written");
}

}  // namespace

void register_merge_sorted(Registry& registry) {
  Algorithm row;
  row.name = "merge_sorted";
  row.family = "searches and tables";
  row.summary = "two sorted arrays of n/2 keys become one";
  row.source =
      "seed 004, section 3.5 (ModernGPU's merge); Odeh, Green, Mwassi, Shmueli and Birk, IPDPSW "
      "2012; theory 3.14";
  row.variants = {
      {.name = "merge_path",
       .time = {"Theta((n/p)(1 + log(cV)/c) + (n/(cV)) log(n) / k), c = 9 keys of a lane",
                [](const Symbols& s) {
                  constexpr double of_key =
                      3;  // T of merging a key where a round of a search has 1
                  return s.n / s.p * (of_key + lg(keys_of_lane * s.width) / keys_of_lane) +
                         diagonals(s) * lg(s.n) / s.k / 4;
                }},
       .io = {"2n/b + O((n/(cV)) log n)",
              [](const Symbols& s) { return 2 * s.n / s.b + diagonals(s) * lg(s.n); }},
       .help = "tiles of the result cut by binary search, merged in shared memory"},
      {.name = "ranks",
       .time = {"Theta((n/p) log n)", [](const Symbols& s) { return s.n / s.p * lg(s.n); }},
       .io = {"Theta((n/b) log n)", [](const Symbols& s) { return s.n / s.b * lg(s.n); }},
       .help = "each key finds its rank in the other array by binary search"}};
  row.types = {"u32", "u64"};
  row.inputs = input_kinds();
  row.check = check;
  row.program = merge_sorted::make_program<SimulatedDevice>;
  row.reference = sorted_checksum;
  row.lower_bound = lower_bound;
  registry.add(std::move(row));
}

}  // namespace agpusim
