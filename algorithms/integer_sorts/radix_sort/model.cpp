#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"
#include "agpusim/algorithms/integer_sorts/radix_sort/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

using namespace radix_sort;

std::int64_t words(const RunConfig& config, std::int64_t bytes) {
  return config.spec.words_per_element(static_cast<std::int32_t>(bytes));
}

/// Words of a value.
std::int64_t value_words(const RunConfig& config) {
  return with_value(config, [&](auto value) { return words(config, sizeof(value)); });
}

/// S, pairs.
std::int64_t tile_of(const RunConfig& config) {
  return std::int64_t{config.spec.width} * pairs_per_lane;
}

/// Words of shared memory of a task that moves pairs: tiles, counts of each warp, a place for each
/// digit.
std::int64_t tile_words(const RunConfig& config) {
  return tile_of(config) * (words(config, 4) + value_words(config));
}
std::int64_t count_words(const RunConfig& config, std::int64_t digit_bits) {
  return (std::int64_t{config.spec.warps() + 1} << digit_bits) * words(config, 4);
}

/// The most bits whose counts fit beside the tiles.
std::int64_t default_digit_bits(const RunConfig& config) {
  const std::int64_t room = config.spec.shared_words - tile_words(config);
  std::int64_t bits = most_digit_bits;
  while (bits > 1 && count_words(config, bits) > room) --bits;
  return bits;
}

void check(const RunConfig& config) {
  check_keys(config.input, key_shape(config), all_keys);
  const std::int64_t bits = config.parameters.at("digit_bits");
  if (bits > most_digit_bits) {
    throw UsageError(fmt::format("digit_bits = {}: radix_sort has digits of 1 to {} bits", bits,
                                 most_digit_bits));
  }
  if (config.spec.block_words > 32) {
    throw UsageError(
        fmt::format("b = {}: radix_sort takes votes of the lanes of a warp, of 32 bits each; use a "
                    "machine with b of at most 32",
                    config.spec.block_words));
  }
  const std::int64_t needed = tile_words(config) + count_words(config, bits);
  if (needed > config.spec.shared_words) {
    throw UsageError(fmt::format(
        "radix_sort ({}): a tile of {}V = {} pairs and the counts of {} warps need {} words of "
        "shared memory, but M = {}; use a larger M, a smaller V or smaller digit_bits",
        config.variant, pairs_per_lane, tile_of(config), config.spec.warps(), needed,
        config.spec.shared_words));
  }
  check_segments(config, cut_of(config).how(), config.n);
  const std::int64_t counts = cut_of(config).host().tasks << bits;
  if (counts >= std::int64_t{1} << 31) {
    throw UsageError(
        fmt::format("tasks = {}: their counts are {} words, at most 2^31 - 1 are "
                    "possible; use fewer tasks",
                    config.parameters.at("tasks"), counts));
  }
}

/// The pairs by the library's stable sort.
std::uint64_t reference(const RunConfig& config) {
  const std::vector<std::int32_t> keys = keys_of(config);
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return keys[x] < keys[y]; });
  return with_value(config, [&]<class Value>(Value) {
    const std::vector<Value> values = values_of<Value>(config.n);
    std::vector<std::uint32_t> sorted_keys;
    std::vector<Value> sorted_values;
    for (const std::size_t i : order) {
      sorted_keys.push_back(static_cast<std::uint32_t>(keys[i]));
      sorted_values.push_back(values[i]);
    }
    return checksum_of(sorted_keys, sorted_values);
  });
}

LowerBound lower_bound(const RunConfig& config) {
  const std::int64_t io = 2 * (ceil_div(config.n * words(config, 4), config.spec.block_words) +
                               ceil_div(config.n * value_words(config), config.spec.block_words));
  return lower_bound_of_io(config, io, "every block is read and every block is written");
}

/// What a pass does with the tiles of a run, on average.
struct Pass {
  explicit Pass(const Symbols& s)
      : passes(static_cast<double>(digits_of(s.config).size())),
        bits(static_cast<double>(key_bits(s.config)) / passes),
        digits(std::exp2(bits)),
        tile(static_cast<double>(tile_of(s.config))),
        tasks(static_cast<double>(cut_of(s.config).host().tasks)) {}
  double passes;
  double bits;
  double digits;  ///< R, values of a digit
  double tile;    ///< S, pairs
  double tasks;   ///< t

  /// D, different digits of a tile of pairs.
  [[nodiscard]] double runs(const Symbols& s) const {
    const std::string& input = s.config.input;
    if (input == "equal") return 1;
    // Neighbours of a tile in order.
    if (input == "sorted" || input == "reversed") {
      return std::min(digits, 1 + tile * s["range"] / s.n);
    }
    const double values = input == "zipf" ? lg(digits) * std::sqrt(digits) : digits;
    return std::max(1.0, values * (1 - std::exp(-tile / values)));
  }
};

Bound time_of() {
  return {"Theta((bits/d)(n/p + (n/S + t) RW/p + R(W + t/b)/k))", [](const Symbols& s) {
            const Pass pass(s);
            const double warps = s.width / s.b;
            constexpr double pair = 120;   // instructions and wavefronts of a row of b pairs
            constexpr double digits = 70;  // T of b digits of a tile or a task
            constexpr double count = 90;   // T of the scan of a row of counts, for each warp
            return pass.passes *
                   (pair * s.n / s.p +
                    (s.n / pass.tile + pass.tasks) * pass.digits / s.p * (digits + 8 * warps) +
                    count * pass.digits / s.k * (warps + pass.tasks / (scan_per_lane * s.b)));
          }};
}

Bound io_of() {
  return {"(bits/d)((3+2u) n/b + (1+u) D n/S + 2R t); of S pairs: D digits", [](const Symbols& s) {
            const Pass pass(s);
            const auto u = static_cast<double>(value_words(s.config));
            return pass.passes *
                   ((3 + 2 * u) * s.n / s.b + (1 + u) * pass.runs(s) * s.n / pass.tile +
                    2 * pass.digits * pass.tasks);
          }};
}

}  // namespace

void register_radix_sort(Registry& registry) {
  Algorithm row;
  complete_integer_row(row);
  row.name = "radix_sort";
  row.family = "integer sorts";
  row.summary = "stable sort of integers with values, an H-P sort by tiles for each digit";
  row.source = "theory 3.7: tiles, the stable H-P sort that seed 000, section 8, leaves open";
  row.time = time_of();
  row.io = io_of();
  row.variants = {{.name = "values_32", .help = "each key takes a value of 32 bits with it"},
                  {.name = "values_64", .help = "each key takes a value of 64 bits with it"}};
  row.parameters = key_parameters();
  row.parameters.push_back({"digit_bits", "d, most bits of a digit, 1 to 8", default_digit_bits});
  row.parameters.push_back(
      {"tasks", "t, most tasks that pairs are cut for", [](const RunConfig& config) {
         const std::int64_t with_few_counts = (config.n / 16) >> config.parameters.at("digit_bits");
         return std::max(config.spec.multiprocessors(), with_few_counts);
       }});
  row.peers = {"cub_radix_sort_pairs"};
  row.check = check;
  row.program = radix_sort::make_program<SimulatedDevice>;
  row.reference = reference;
  row.lower_bound = lower_bound;
  registry.add(std::move(row));
}

}  // namespace agpusim
