#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/sort_reference.hpp"
#include "agpusim/algorithms/merge_sort/bounds.hpp"
#include "agpusim/algorithms/merge_sort/heap_account.hpp"
#include "agpusim/algorithms/merge_sort/pivots_shape.hpp"
#include "agpusim/algorithms/merge_sort/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::multiway_merge_sort {
namespace {

constexpr std::int64_t most_keys = std::int64_t{1} << 29;
constexpr std::int64_t most_rows = 4;
constexpr std::int64_t most_registers = 32;  // limit of a lane that sorts base runs

std::int32_t levels_of(std::int64_t ways) {
  return static_cast<std::int32_t>(std::bit_width(static_cast<std::uint64_t>(ways - 1)));
}

/// d; two where a row has no such parameter.
std::int64_t ways_of(const RunConfig& config) {
  const auto d = config.parameters.find("d");
  return d == config.parameters.end() ? 2 : d->second;
}

/// Whether tasks merge regions that are cut out of groups.
bool cuts_regions(const RunConfig& config) {
  return config.variant == "selection" || config.variant == "splitting";
}

/// Words of shared memory of a heap with d = `ways`.
std::int64_t heap_words(const RunConfig& config, std::int64_t rows, std::int64_t ways) {
  const HeapShape heap{rows * config.spec.width, levels_of(ways), config.spec.width};
  return config.variant == "heap_2b" ? heap.double_words(config.spec, element_words(config))
                                     : heap.words(config.spec, element_words(config));
}

/// The largest power of two at most `most`, itself one, that fits; at least 2.
std::int64_t widest_heap(const RunConfig& config, std::int64_t rows, std::int64_t most) {
  std::int64_t ways = most;
  while (ways > 2 && heap_words(config, rows, ways) > config.spec.shared_words) ways /= 2;
  return ways;
}

std::int64_t rounds_of(const RunConfig& config, std::int64_t tile) {
  const std::int64_t ways = std::int64_t{1} << levels_of(ways_of(config));
  std::int64_t rounds = 0;
  for (std::int64_t run = tile; run < config.n; run *= ways) ++rounds;
  return rounds;
}

/// 16 registers of each lane; 32, of keys of one word, where that saves a round of merges.
std::int64_t default_tile(const RunConfig& config) {
  const std::int64_t words = element_words(config);
  const std::int64_t usual = most_registers / 2 * config.spec.width;
  const bool saves = words == 1 && rounds_of(config, 2 * usual) < rounds_of(config, usual);
  return std::min(saves ? 2 * usual : usual,
                  floor_power_of_two(std::max<std::int64_t>(1, config.spec.shared_words / words)));
}

/// As many regions as it takes to keep every multiprocessor busy, of 32 to 128 buffers: a region
/// fills a heap before its first key comes out. A power of two, since groups are of such sizes.
std::int64_t default_region(const RunConfig& config) {
  constexpr std::int64_t tasks = 4;  // per multiprocessor
  const std::int64_t buffer = config.parameters.at("rows") * config.spec.width;
  const auto share =
      static_cast<std::uint64_t>(ceil_div(config.n, tasks * config.spec.multiprocessors()));
  return std::clamp(static_cast<std::int64_t>(std::bit_ceil(share)), 32 * buffer, 128 * buffer);
}

/// Four rows, which a GPU's registers hold well; fewer where 8 runs would not fit.
std::int64_t default_rows(const RunConfig& config) {
  std::int64_t rows = 4;
  while (rows > 1 && heap_words(config, rows, 8) > config.spec.shared_words) rows /= 2;
  return rows;
}

}  // namespace

Shape shape_of(const RunConfig& config) {
  Shape shape;
  shape.n = config.n;
  shape.rows = static_cast<std::int32_t>(config.parameters.at("rows"));
  shape.tile = static_cast<std::int32_t>(config.parameters.at("tile"));
  shape.registers = std::max(2, shape.tile / config.spec.width);
  shape.levels = levels_of(ways_of(config));
  if (cuts_regions(config)) {
    shape.region = static_cast<std::int32_t>(config.parameters.at("region"));
  }
  shape.double_buffers = config.variant == "heap_2b";
  if (config.variant == "pivots" && config.parameters.at("pivots") > 0) {
    shape.runs = static_cast<std::int32_t>(config.parameters.at("runs"));
    shape.pivots = static_cast<std::int32_t>(config.parameters.at("pivots"));
  }
  return shape;
}

namespace {

void check(const RunConfig& config) {
  const AgpuSpec& spec = config.spec;
  const std::int64_t words = element_words(config);
  const std::int64_t rows = config.parameters.at("rows");
  const std::int64_t ways = ways_of(config);
  const std::int64_t tile = config.parameters.at("tile");
  if (!is_power_of_two(spec.block_words) || !is_power_of_two(spec.width) ||
      !is_power_of_two(words) || spec.width < 2) {
    throw UsageError(
        fmt::format("{} needs b, V >= 2 and the words of a key to be powers of two; here b = {}, "
                    "V = {}, {} words",
                    config.algorithm, spec.block_words, spec.width, words));
  }
  if (config.n > most_keys) {
    throw UsageError(fmt::format("{}: n = {} is more than 2^29 keys; sort parts of the input",
                                 config.algorithm, config.n));
  }
  if (!is_power_of_two(rows) || rows > most_rows) {
    throw UsageError(fmt::format("rows = {}: must be 1, 2 or 4", rows));
  }
  if (heap_words(config, rows, ways) > spec.shared_words) {
    throw UsageError(fmt::format(
        "d = {}: buffers of {} rows of V = {} keys for {} runs need {} words of shared memory, but "
        "M = {}; use a smaller d or fewer rows",
        ways, rows, spec.width, ways, heap_words(config, rows, ways), spec.shared_words));
  }
  const std::int64_t block = std::max<std::int64_t>(1, spec.block_words / words);
  const std::int64_t least = std::max<std::int64_t>(2, block);
  const std::int64_t most = most_registers * spec.width;
  if (!is_power_of_two(tile) || tile < least || tile > most) {
    throw UsageError(
        fmt::format("tile = {}: must be a power of two, at least {} and at most {}·V = {}", tile,
                    least, most_registers, most));
  }
  if (std::max<std::int64_t>(tile, 2 * spec.width) * words > spec.shared_words) {
    throw UsageError(fmt::format(
        "tile = {}: {} keys of {} words do not fit into M = {} words; use a smaller tile or V",
        tile, std::max<std::int64_t>(tile, 2 * spec.width), words, spec.shared_words));
  }
  if (cuts_regions(config) && (std::int64_t{1} << levels_of(ways)) > spec.width) {
    throw UsageError(fmt::format(
        "d = {}: the selection of cuts needs a lane per run, but V = {}; use a smaller d or "
        "--variant heap",
        ways, spec.width));
  }
  if (config.parameters.at("region") > most_keys) {
    throw UsageError(fmt::format("region = {}: at most 2^29 keys", config.parameters.at("region")));
  }
  if (config.variant == "pivots") check_pivots(config);
}

/// A row for sorts by rounds of merges with a heap, without name, texts and variants. A row without
/// the parameter d merges two runs at a time.
Algorithm sort_row() {
  Algorithm row = comparison_sort_row();
  row.parameters = {
      {"rows", "rows of V keys in a buffer: 1, 2 or 4", default_rows},
      {"d", "runs that become one in a round",
       [](const RunConfig& config) {
         const std::int64_t ways = floor_power_of_two(config.spec.width);
         return widest_heap(
             config, config.parameters.at("rows"),
             std::clamp<std::int64_t>(ways, 2, std::max(2, 16 / element_words(config))));
       },
       2},
      {"tile", "keys of a base run, sorted in registers (a power of two)", default_tile},
      {"region", "keys of an independent part of a merge", default_region}};
  row.min_n = 0;
  row.check = check;
  row.program = make_program<SimulatedDevice>;
  row.account = [](const RunConfig& config, const RunReport& report) {
    return cuts_regions(config) ? std::vector<NamedValue>{} : heap_account(config, report);
  };
  row.formulas = {formula_of_io(
      "(2n/b)(1 + rounds), rounds = ceil(log_d(n/tile)), n in whole blocks, without cuts",
      [](const RunConfig& config) -> std::optional<std::int64_t> {
        if (cuts_regions(config) || config.variant == "pivots") return std::nullopt;
        const Shape shape = shape_of(config);
        std::int64_t rounds = 0;
        for (std::int64_t run = shape.tile; run < shape.n; run <<= levels_of_round(shape, run)) {
          ++rounds;
        }
        return 2 * blocks_requested(config, config.n) * (1 + rounds);
      })};
  return row;
}

/// Q of the first step of the distribution, where no two pivots share a block (theory 3.12).
Formula io_of_sample() {
  return {"Q of sample_pivots", "Q of sample_pivots = u - 1 + l ceil(rho/b)",
          [](const RunConfig& config) -> std::optional<std::int64_t> {
            if (config.variant != "pivots" || config.parameters.at("pivots") == 0) return {};
            const std::optional<Distribution> cut = distribution_of(config);
            const std::int64_t words = element_words(config);
            const std::int64_t b = config.spec.block_words;
            if (!cut || words > b) return {};
            const std::int64_t shortest = cut->length(cut->runs - 1);
            if (shortest / (cut->pivots + 1) * words < b) return {};
            return cut->regions() - 1 + cut->runs * ceil_div(cut->pivots * words, b);
          },
          [](const RunReport& report) {
            std::int64_t io = 0;
            for (const PhaseReport& phase : report.phases) {
              if (phase.kernel == "sample_pivots") io += phase.counts.io();
            }
            return io;
          }};
}

}  // namespace
}  // namespace agpusim::multiway_merge_sort

namespace agpusim {

void register_gpu_warpsort(Registry& registry) {
  using namespace multiway_merge_sort;
  Algorithm row = sort_row();
  row.name = "gpu_warpsort";
  row.family = "comparison sorts";
  row.summary = "runs of a block sorted by a bitonic network, then binary merges of blocks";
  row.source =
      "Ye, Fan, Lin, Yuan and Ienne, IPDPS 2010 (not seen); on AGPU: Koike and Sadakane 2013, "
      "section 3.3";
  row.variants = {{.name = "splitting",
                   .time = time_of_regions(),
                   .io = io_of_regions(),
                   .help = "large merges are split into regions that tasks merge independently"},
                  {.name = "merges",
                   .time = time_of_groups(),
                   .io = io_of_groups(),
                   .help = "no splitting: the last round is one merge by one task"}};
  std::erase_if(row.parameters, [](const Parameter& parameter) { return parameter.name == "d"; });
  for (Parameter& parameter : row.parameters) {
    if (parameter.name == "rows") {
      parameter.default_value = [](const RunConfig&) { return std::int64_t{1}; };
    } else if (parameter.name == "tile") {
      parameter.default_value = [](const RunConfig& config) {
        return std::max<std::int64_t>(config.spec.width, 2);
      };
    }
  }
  registry.add(std::move(row));
}

void register_multiway_merge_sort(Registry& registry) {
  using namespace multiway_merge_sort;
  Algorithm row = sort_row();
  row.name = "multiway_merge_sort";
  row.family = "comparison sorts";
  row.summary = "merge sort with a d-way heap of buffers, I/O-optimal; regions merge independently";
  row.source = "Koike and Sadakane 2013, sections 4 and 5; theory 3.12";
  row.variants = {{.name = "selection",
                   .time = time_of_regions(),
                   .io = io_of_regions(),
                   .help = "large merges are cut exactly into regions of equal size"},
                  {.name = "heap",
                   .time = time_of_groups(),
                   .io = io_of_groups(),
                   .help = "no cuts: the last round is one merge by one task"},
                  {.name = "heap_2b",
                   .time = time_of_groups(),
                   .io = io_of_groups(),
                   .help = "as heap, with buffers twice as large, filled from the top down"},
                  {.name = "pivots",
                   .time = time_of_pivots(),
                   .io = io_of_pivots(),
                   .help = "the last runs are cut at pivots, into regions of uneven size"}};
  row.formulas.push_back(io_of_sample());
  row.parameters.push_back({"runs", "variant pivots: most runs that are cut at pivots; 1: none",
                            [](const RunConfig& config) {
                              return config.variant == "pivots" ? default_runs(config) : 1;
                            }});
  row.parameters.push_back({"pivots", "variant pivots: pivots of each of these runs; 0: none",
                            [](const RunConfig& config) {
                              return config.variant == "pivots" ? default_pivots(config) : 0;
                            },
                            0});
  registry.add(std::move(row));
}

}  // namespace agpusim
