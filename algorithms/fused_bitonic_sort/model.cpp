#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/sort_bound.hpp"
#include "agpusim/algorithms/common/sort_reference.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/fused_bitonic_sort/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

using namespace fused_bitonic_sort;

constexpr std::int64_t most_keys = std::int64_t{1} << 30;

/// The most keys that a lane may hold: bytes_of_lane, and no more words than bounds assume.
std::int64_t most_registers(const RunConfig& config) {
  return std::min<std::int64_t>(bytes_of_lane / element_bytes(config.type),
                                registers_of_lane / element_words(config));
}

/// Keys that fit into M words.
std::int64_t most_tile(const RunConfig& config) {
  return floor_power_of_two(
      std::max<std::int64_t>(1, config.spec.shared_words / element_words(config)));
}

/// The most keys of a task that still give every multiprocessor one.
std::int64_t fair_share(const RunConfig& config) {
  return floor_power_of_two(std::max<std::int64_t>(1, config.n / config.spec.multiprocessors()));
}

/// Keys of the shortest window of a row: a block of global memory.
std::int64_t least_window(const RunConfig& config) {
  return std::max<std::int64_t>(1, config.spec.block_words / element_words(config));
}

/// As many as the tile, M and the keys fill.
std::int64_t default_registers(const RunConfig& config) {
  const auto tile = config.parameters.find("tile");
  const std::int64_t keys =
      tile != config.parameters.end()
          ? tile->second
          : std::min(most_tile(config), static_cast<std::int64_t>(
                                            std::bit_ceil(static_cast<std::uint64_t>(config.n))));
  return std::clamp<std::int64_t>(
      floor_power_of_two(std::max<std::int64_t>(1, keys / config.spec.width)), least_registers,
      most_registers(config));
}

/// The largest that leaves no multiprocessor idle, or the smallest possible.
std::int64_t default_tile(const RunConfig& config) {
  return std::max(config.parameters.at("registers") * config.spec.width,
                  std::min(most_tile(config), fair_share(config)));
}

/// All strides for which windows are blocks of global memory.
std::int64_t default_strides(const RunConfig& config) {
  return std::max<std::int64_t>(
      1, lg(floor_power_of_two(config.parameters.at("tile"))) - lg(least_window(config)));
}

void check_tile(const RunConfig& config) {
  const std::int64_t words = element_words(config);
  const std::int64_t registers = config.parameters.at("registers");
  const std::int64_t tile = config.parameters.at("tile");
  if (!is_power_of_two(registers) || registers < least_registers ||
      registers > most_registers(config)) {
    throw UsageError(fmt::format("registers = {}: must be a power of two from {} to {} keys of {}",
                                 registers, least_registers, most_registers(config), config.type));
  }
  const std::int64_t least = registers * config.spec.width;
  if (least * words > config.spec.shared_words) {
    throw UsageError(fmt::format(
        "fused_bitonic_sort: V = {} lanes with {} keys of {} words each need {} words of shared "
        "memory, but M = {}; use a smaller V, fewer registers (at least {}) or a larger M",
        config.spec.width, registers, words, least * words, config.spec.shared_words,
        least_registers));
  }
  if (!is_power_of_two(tile) || tile < least || tile * words > config.spec.shared_words) {
    throw UsageError(fmt::format(
        "tile = {}: must be a power of two from registers·V = {} to {} keys, which fit into M = {} "
        "words",
        tile, least, most_tile(config), config.spec.shared_words));
  }
}

void check(const RunConfig& config) {
  check_powers_of_two(config);
  if (config.n > most_keys) {
    throw UsageError(fmt::format(
        "fused_bitonic_sort: n = {} is more than 2^30 keys; sort parts of the input", config.n));
  }
  check_tile(config);
  const std::int64_t most = lg(config.parameters.at("tile")) - lg(least_window(config));
  if (config.parameters.at("strides") > most) {
    throw UsageError(
        fmt::format("strides = {}: with more than {} the rows of a tile would be shorter than a "
                    "block of b = {} words; use fewer or a larger tile",
                    config.parameters.at("strides"), most, config.spec.block_words));
  }
}

}  // namespace

void register_fused_bitonic_sort(Registry& registry) {
  Algorithm row = comparison_sort_row();
  row.name = "fused_bitonic_sort";
  row.family = "comparison sorts";
  row.summary =
      "Batcher's bitonic network with several strides for each read of the keys, in registers";
  row.source = "Batcher 1968; theory 3.10";
  row.time = {"Theta((n/p) log^2 n)",
              [](const Symbols& s) { return s.n / s.p * lg(s.n) * lg(s.n); }};
  row.io = {
      "(2n/b)(1 + mu + sum of ceil(i/t) over i = 1..mu), mu = lg(n/S); "
      "Theta((n/b)(1 + log^2(n/M) / log(M/b)))",
      [](const Symbols& s) {
        const double mu = std::max(0.0, std::ceil(std::log2(s.n / s["tile"])));
        double passes = 1 + mu;
        for (double i = 1; i <= mu; ++i) passes += std::ceil(i / s["strides"]);
        return 2 * s.n / s.b * passes;
      }};
  row.min_n = 0;
  row.parameters = {
      {"registers", "keys of a lane in registers: 4, 8 or 16, up to 64 bytes", default_registers},
      {"tile", "S, keys sorted in shared memory at a time (a power of two)", default_tile},
      {"strides", "t, most strides of a pass over global memory", default_strides}};
  row.check = check;
  row.program = fused_bitonic_sort::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

}  // namespace agpusim
