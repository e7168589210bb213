#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort_row.hpp"
#include "agpusim/algorithms/integer_sorts/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

/// The tail of `by_keys` sees no duplicates: given keys are looked at one by one.
void refuse_duplicates(const RunConfig& config) {
  std::vector<std::int32_t> keys = generate_keys(config);
  std::sort(keys.begin(), keys.end());
  const auto repeated = std::adjacent_find(keys.begin(), keys.end());
  if (repeated == keys.end()) return;
  throw UsageError(
      fmt::format("one_hp_sort sorts distinct keys, but key {} occurs more than once (it is the "
                  "smallest such key); use hp_sort",
                  *repeated));
}

/// The variant whose tail goes through the keys: D blocks of Ap and of y for b of them.
Variant by_keys(const Variant& global) {
  const histogram::Place place = histogram::Place::global;
  return {
      .name = "by_keys",
      .time = {fmt::format("Theta({} + 2(n/p)D + ((n+R)/p)(1 + log V / c)){}",
                           histogram_time(place).text, keys_of_warp_text),
               [time = global.time.value](const Symbols& s) {
                 return time(s.config) + s.n / s.p * 2 * keys_of_warp(s.config).blocks;
               }},
      .io = {fmt::format("(n+5R)/b + 2Dn/b + {}{}", histogram_io(place).text, keys_of_warp_text),
             [io = histogram_io(place).value](const Symbols& s) {
               const double blocks = keys_of_warp(s.config).blocks;
               return (s.n + 5 * s["range"] + 2 * blocks * s.n) / s.b + io(s.config);
             }},
      .help = "as global, but each key, not each value, looks up its place"};
}

}  // namespace

void register_one_hp_sort(Registry& registry) {
  Algorithm row = integer_sort_row(
      {"(1n+7R)/b", [](const Symbols& s) { return (1 * s.n + 7 * s["range"]) / s.b; }});
  row.name = "one_hp_sort";
  row.summary = "1-H-P sort of distinct integers: histogram, prefix sums, one scatter";
  row.source = "Kozakai, Bulletin of Hosei University 63, 2022, algorithm 3; theory 3.4, 3.6";
  row.inputs = {"distinct", "sorted", "reversed"};
  row.variants.push_back(by_keys(row.variants.front()));
  row.program = one_hp_sort::make_program<SimulatedDevice>;
  row.check = [check = row.check](const RunConfig& config) {
    check(config);
    const std::int64_t values = config.parameters.at("values");
    if (!is_given(config.input) && config.input != "distinct" && config.n > values) {
      throw UsageError(
          fmt::format("one_hp_sort sorts distinct keys, but input {} repeats some of {} values {} "
                      "times; use input distinct, or hp_sort",
                      config.input, values, config.n));
    }
    if (config.variant == "by_keys" && is_given(config.input)) refuse_duplicates(config);
  };
  registry.add(std::move(row));
}

}  // namespace agpusim
