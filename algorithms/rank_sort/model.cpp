#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/sort_reference.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/rank_sort/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

using namespace rank_sort;

constexpr std::int64_t most_keys = std::int64_t{1} << 22;
constexpr std::int64_t most_own = 8;
constexpr std::int64_t most_tile_rows = 8;  // rows of V keys, unless set

/// Whether lanes have several keys in registers and may share the counting.
bool has_registers(const std::string& variant) {
  return variant == "registers" || variant == "descending" || variant == "payload";
}

bool has_tile(const std::string& variant) {
  return has_registers(variant) || variant == "tiled" || variant == "rotated";
}

/// The divisors of V up to 64, beyond which adding up the slices costs more than they save.
std::vector<std::int64_t> slice_choices(const RunConfig& config) {
  std::vector<std::int64_t> choices;
  for (std::int64_t slices = 1; slices <= std::min(config.spec.width, 64); ++slices) {
    if (config.spec.width % slices == 0) choices.push_back(slices);
  }
  return choices;
}

bool possible_own(const std::string& variant, std::int64_t own) {
  return variant == "registers" ? own <= most_own && is_power_of_two(own) : own == fixed_own;
}

bool possible_shape(const RunConfig& config) {
  return (!has_registers(config.variant) ||
          possible_own(config.variant, config.parameters.at("own"))) &&
         config.spec.width % config.parameters.at("slices") == 0;
}

void check_shape(const RunConfig& config) {
  const std::int64_t own = config.parameters.at("own");
  const std::int64_t slices = config.parameters.at("slices");
  const bool is_looped = config.variant == "looped";
  if (!has_registers(config.variant) && ((own != 1 && !is_looped) || slices != 1)) {
    throw UsageError(
        fmt::format("own = {}, slices = {}: rank_sort ({}) has {} for each lane; leave "
                    "them out or use the variant registers",
                    own, slices, config.variant, is_looped ? "no slices" : "one key"));
  }
  if (is_looped && own > std::max<std::int64_t>(config.n, 1)) {
    throw UsageError(fmt::format("own = {}: at most n = {} keys of a lane", own, config.n));
  }
  if (has_registers(config.variant) && !possible_own(config.variant, own)) {
    throw UsageError(fmt::format("own = {}: rank_sort ({}) has {} keys for each lane", own,
                                 config.variant,
                                 config.variant == "registers" ? "1, 2, 4 or 8" : "4"));
  }
  if (config.spec.width % slices != 0) {
    throw UsageError(
        fmt::format("slices = {}: must divide V = {} lanes", slices, config.spec.width));
  }
}

/// Words of the slices' counts in a task's shared memory.
std::int64_t count_words(const RunConfig& config, std::int64_t own, std::int64_t slices) {
  if (slices == 1) return 0;
  return (slices + ceil_div(slices, slices_at_a_time)) * (config.spec.width / slices) * own *
         config.spec.words_per_element(4);
}

/// Whether `slices` lanes for every `own` keys give each core this many lanes, which hide a GPU's
/// latencies.
bool fills(const RunConfig& config, std::int64_t lanes_of_core, std::int64_t own,
           std::int64_t slices) {
  return config.n * slices / own >= lanes_of_core * config.spec.cores;
}

/// The most keys of a lane with which slices can still give every core three lanes; of the variant
/// looped, those that are left for each lane of one task for every multiprocessor.
std::int64_t default_own(const RunConfig& config) {
  if (config.variant == "looped") {
    const std::int64_t lanes = config.spec.multiprocessors() * config.spec.width;
    return std::max<std::int64_t>(1, ceil_div(config.n, lanes));
  }
  if (!has_registers(config.variant)) return 1;
  if (config.variant != "registers") return fixed_own;
  std::int64_t own = most_own;
  while (own > 1 && !fills(config, 3, own, slice_choices(config).back())) own /= 2;
  return own;
}

/// The fewest slices that give every core six lanes, or the most that there can be.
std::int64_t default_slices(const RunConfig& config) {
  if (!has_registers(config.variant)) return 1;
  const std::int64_t own = config.parameters.at("own");
  if (!possible_own(config.variant, own)) return 1;
  std::int64_t best = 1;
  for (const std::int64_t slices : slice_choices(config)) {
    const std::int64_t rest = config.spec.shared_words - count_words(config, own, slices);
    if (rest < std::max<std::int64_t>(slices, config.spec.block_words) * element_words(config)) {
      break;
    }
    best = slices;
    if (fills(config, 6, own, slices)) break;
  }
  return best;
}

/// Words of shared memory for each key of a tile.
std::int64_t words_per_tile_key(const RunConfig& config) {
  return (config.variant == "rotated" ? std::int64_t{2} : 1) * element_words(config);
}

/// Eight rows of V keys, as far as they fit into M words. Any number for a shape that check()
/// refuses.
std::int64_t default_tile(const RunConfig& config) {
  if (!has_tile(config.variant) || !possible_shape(config)) return 1;
  const std::int64_t counts =
      count_words(config, config.parameters.at("own"), config.parameters.at("slices"));
  const std::int64_t fit = (config.spec.shared_words - counts) / words_per_tile_key(config);
  const std::int64_t step = tile_step(config);
  return std::max(step,
                  std::min<std::int64_t>(most_tile_rows * config.spec.width, fit) / step * step);
}

/// The first two places of a key that occurs twice, if there is one.
template <class Key>
std::optional<std::pair<std::int64_t, std::int64_t>> equal_places(const RunConfig& config) {
  const std::vector<Key> keys = generate<Key>(config.input, config.n, config.seed);
  std::vector<Key> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) return std::nullopt;
  const auto first = std::find(keys.begin(), keys.end(), *twice);
  const auto second = std::find(first + 1, keys.end(), *twice);
  return std::pair{first - keys.begin(), second - keys.begin()};
}

void check_unique(const RunConfig& config) {
  const auto places =
      with_element_type(config.type, [&]<class Key>(Key) { return equal_places<Key>(config); });
  if (!places) return;
  throw UsageError(
      fmt::format("rank_sort (unique_keys) is right for distinct keys only, but keys {} and {} of "
                  "input '{}' are equal; use another variant or --input sorted or reversed",
                  places->first, places->second, config.input));
}

void check_tile(const RunConfig& config) {
  const AgpuSpec& spec = config.spec;
  const std::int64_t tile = config.parameters.at("tile");
  if (!has_tile(config.variant)) {
    if (tile == 1) return;
    throw UsageError(fmt::format(
        "tile = {}: rank_sort ({}) has no tiles; leave it out or use registers, tiled or rotated",
        tile, config.variant));
  }
  if (tile % tile_step(config) != 0) {
    throw UsageError(fmt::format("tile = {}: rank_sort ({}) needs a multiple of {} = {}", tile,
                                 config.variant, config.variant == "rotated" ? "b" : "slices",
                                 tile_step(config)));
  }
  const std::int64_t counts =
      count_words(config, config.parameters.at("own"), config.parameters.at("slices"));
  if (tile > (spec.shared_words - counts) / words_per_tile_key(config)) {
    throw UsageError(fmt::format(
        "rank_sort ({}): a tile of {} keys, {} words each, and {} words of partial counts do not "
        "fit into M = {} words; use a smaller tile, fewer lanes or a larger M",
        config.variant, tile, words_per_tile_key(config), counts, spec.shared_words));
  }
}

void check(const RunConfig& config) {
  if (config.n > most_keys) {
    throw UsageError(
        fmt::format("rank_sort: n = {} is above 2^22, for which n^2 comparisons take seconds on "
                    "any GPU; use another sort",
                    config.n));
  }
  check_shape(config);
  check_tile(config);
  if (is_in_place(config) && config.n * element_words(config) > config.spec.shared_words) {
    throw UsageError(
        fmt::format("rank_sort ({}): one task holds all keys, but {} keys of {} words do not fit "
                    "into M = {} words; use another variant or a larger M",
                    config.variant, config.n, element_words(config), config.spec.shared_words));
  }
  if (config.variant == "unique_keys") check_unique(config);
}

/// Checksum of the result by the library's stable sort.
std::uint64_t reference(const RunConfig& config) {
  return with_element_type(config.type, [&]<class Key>(Key) {
    std::vector<Key> keys = generate<Key>(config.input, config.n, config.seed);
    if (config.variant == "descending") {
      std::sort(keys.begin(), keys.end(), std::greater<>());
      return checksum<Key>(keys);
    }
    if (config.variant != "payload") return sorted_checksum(config);
    std::vector<std::uint32_t> places(keys.size());
    std::iota(places.begin(), places.end(), std::uint32_t{0});
    std::stable_sort(places.begin(), places.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return keys[x] < keys[y]; });
    std::vector<Key> sorted;
    for (const std::uint32_t place : places) sorted.push_back(keys[place]);
    return checksum<Key>(records(sorted, places));
  });
}

/// The variants on AGPU. The blocks that the scatter of sorted keys touches, at most n, are part of
/// every Q.
std::vector<Variant> variants() {
  const Bound of_tiles = {"n^2/(bV) + n/b + blocks of the scatter, at most n",
                          [](const Symbols& s) { return s.n * s.n / (s.b * s.width) + s.n; }};
  const Bound of_registers = {
      "n^2 slices/(rbV) + n/b + blocks of the scatter, at most n",
      [](const Symbols& s) { return s.n * s.n * s["slices"] / (s["own"] * s.b * s.width) + s.n; }};
  const Bound from_global = {"n^2/b + n/b + blocks of the scatter, at most n",
                             [](const Symbols& s) { return s.n * s.n / s.b + s.n; }};
  const Bound looped = {"Theta(n^2/p + r n V/b)", [](const Symbols& s) {
                          return s.n * s.n / s.p + s["own"] * s.n * s.width / s.b;
                        }};
  const Bound in_one_task = {"Theta(n^2/b): one task",
                             [](const Symbols& s) { return s.n * s.n / s.b; }};
  return {{.name = "registers",
           .io = of_registers,
           .help = "r keys in each lane's registers, compared with tiles in shared memory"},
          {.name = "tiled",
           .io = of_tiles,
           .help = "one key a lane; all read the same place of a tile"},
          {.name = "rotated",
           .io = of_tiles,
           .help = "one key a lane; lanes of a warp read different banks"},
          {.name = "global",
           .io = from_global,
           .help = "one key a lane; every key is read from global memory"},
          {.name = "in_place",
           .time = in_one_task,
           .io = {"n/b + blocks of the scatter, at most n",
                  [](const Symbols& s) { return s.n / s.b + s.n; }},
           .help = "one task holds all keys in shared memory, where they must fit"},
          {.name = "in_place_array",
           .time = in_one_task,
           .io = {"Theta(n^2/b) for the ranks + blocks of the scatter, at most n",
                  [](const Symbols& s) { return s.n * s.n / s.b + s.n; }},
           .help = "as in_place, but ranks in global memory and no keys in registers"},
          {.name = "unique_keys",
           .io = from_global,
           .help = "as global, without a tie-break: equal keys are refused"},
          {.name = "looped",
           .time = looped,
           .io = from_global,
           .help = "as global, but each lane ranks r neighbouring keys, one after another"},
          {.name = "descending",
           .io = of_registers,
           .help = "as registers with r = 4, in descending order; equal keys reversed"},
          {.name = "payload",
           .io = of_registers,
           .help = "as registers with r = 4; each key takes its index along"}};
}

}  // namespace

void register_rank_sort(Registry& registry) {
  Algorithm row = comparison_sort_row();
  row.name = "rank_sort";
  row.family = "rank sorts";
  row.summary = "stable sort by counting the keys before each key: n^2 comparisons, one launch";
  row.source = "seed 002, repaired; theory 3.9";
  row.time = {"Theta(n^2/p)", [](const Symbols& s) { return s.n * s.n / s.p; }};
  row.variants = variants();
  row.min_n = 0;
  row.parameters = {
      {"own",
       "r, keys that a lane counts for: 1, 2, 4 or 8 (registers), 4 (descending, payload), any "
       "(looped)",
       default_own},
      {"slices",
       "lanes that share the counting of a key (registers, descending, payload), a divisor of V",
       default_slices},
      {"tile", "keys in shared memory at a time (those, tiled, rotated)", default_tile}};
  row.check = check;
  row.reference = reference;
  row.program = rank_sort::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

}  // namespace agpusim
