#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

void check(const RunConfig& config) {
  const std::int64_t words =
      scan::with_method(config, [&]<class Operator, class Method, scan::Order>() {
        const auto bytes = static_cast<std::int64_t>(sizeof(typename Operator::value_type));
        const Method method = scan::method_of_run<Method>(config);
        return method.template shared_bytes<typename Operator::value_type>() / bytes *
               element_words(config);
      });
  if (words > config.spec.shared_words) {
    throw UsageError(
        fmt::format("scan ({}): a task needs {} words of shared memory for its tile and sums, but "
                    "M = {}; use a larger M, a smaller V or a smaller per_lane",
                    config.variant, words, config.spec.shared_words));
  }
  if (config.parameters.at("exclusive") > 1) {
    throw UsageError(fmt::format("exclusive = {}: must be 0 (inclusive) or 1",
                                 config.parameters.at("exclusive")));
  }
  if (const auto init = config.parameters.find("init"); init != config.parameters.end()) {
    if (config.type == "u32" && init->second > std::numeric_limits<std::uint32_t>::max()) {
      throw UsageError(fmt::format("init = {}: does not fit an element of u32", init->second));
    }
  }
  const Cut cut = scan::cut_of_run(config);
  if (cut.host().per_task > std::int64_t{1} << 30) {
    throw UsageError(
        fmt::format("scan: a task would take {} elements, at most 2^30 are possible; use more "
                    "tasks or a larger p",
                    cut.host().per_task));
  }
}

std::uint64_t reference(const RunConfig& config) {
  return scan::with_method(config, [&]<class Operator, class Method, scan::Order>() {
    using T = typename Operator::value_type;
    const bool exclusive = config.parameters.at("exclusive") != 0;
    std::vector<T> values = generate<T>(config.input, config.n, config.seed);
    T total = scan::start_of_run<Operator>(config);
    for (T& value : values) {
      const T next = Operator{}(total, value);
      value = exclusive ? total : next;
      total = next;
    }
    return checksum<T>(values);
  });
}

/// T where `factor` is what an element costs on average in units of 1/b; a task has at least V
/// elements, and one task scans the sums of the others.
Bound time_of_tiles(const std::string& factor, double (*value)(const Symbols&)) {
  return {fmt::format("Theta((n/p + k/b + V/b){})", factor),
          [value](const Symbols& s) { return (s.n / s.p + (s.k + s.width) / s.b) * value(s); }};
}

std::vector<Variant> variants() {
  const Bound lane_serial = time_of_tiles(
      "(1 + log V / c)", [](const Symbols& s) { return 1 + lg(s.width) / s["per_lane"]; });
  const Bound kogge_stone = time_of_tiles(" log V", [](const Symbols& s) { return lg(s.width); });
  const Bound blelloch = time_of_tiles("(log b + (b/V) log V)", [](const Symbols& s) {
    return lg(s.b) + s.b / s.width * lg(s.width);
  });
  const Bound padded = time_of_tiles(
      "(1 + (b/V) log V)", [](const Symbols& s) { return 8 + s.b / s.width * lg(s.width); });
  const Bound two_passes = {"4n/b + O(k)",
                            [](const Symbols& s) { return 4 * s.n / s.b + 4 * s.k; }};
  return {
      {.name = "sum", .time = lane_serial, .help = "sums: each lane folds c neighbours of a tile"},
      {.name = "max", .time = lane_serial, .help = "maxima, by the method of sum"},
      {.name = "affine",
       .time = lane_serial,
       .types = {"u32"},  // maps packed in u32
       .help = "compositions of affine maps, which do not commute"},
      {.name = "scan_then_add",
       .time = lane_serial,
       .io = two_passes,
       .help = "sums: each segment scanned by itself, then what lies before it added"},
      {.name = "kogge_stone",
       .time = kogge_stone,
       .help = "sums: tiles of V elements, one a lane, lg V steps each"},
      {.name = "blelloch",
       .time = blelloch,
       .help = "sums: a tree over each tile, up and down, with bank conflicts"},
      {.name = "blelloch_padded",
       .time = padded,
       .help = "as blelloch, one place left empty after every b against conflicts"}};
}

LowerBound lower_bound(const RunConfig& config) {
  const std::int64_t blocks = element_blocks(config, config.n);
  const auto lg = static_cast<std::int64_t>(
      std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(config.n, 1) - 1)));
  return {2 * blocks,
          std::max({ceil_div(2 * blocks, config.spec.multiprocessors()),
                    ceil_div(config.n, config.spec.cores), lg}),
          "every block is read and one is written for it; fan-in 2 needs lg n steps"};
}

}  // namespace

void register_scan(Registry& registry) {
  Algorithm row;
  row.name = "scan";
  row.family = "reductions and scans";
  row.summary = "all prefixes of n elements under an associative operator: reduce, then scan";
  row.source =
      "theory 3.8; Kogge and Stone, IEEE Trans. Computers C-22, 1973; Blelloch, CMU-CS-90-190, "
      "1990";
  row.io = {"3n/b + O(k)", [](const Symbols& s) { return 3 * s.n / s.b + 4 * s.k; }};
  row.variants = variants();
  row.types = {"u32", "u64"};
  row.inputs = input_kinds();
  row.min_n = 0;
  row.parameters = segment_parameters();
  row.parameters.push_back(
      {"per_lane",
       "c, neighbours a lane folds; odd avoids bank conflicts (not of the tree methods)",
       [](const RunConfig&) { return scan::default_per_lane; }});
  row.parameters.push_back({"exclusive", "1: element i receives what lies before it; 0: up to it",
                            [](const RunConfig&) { return std::int64_t{0}; }, 0});
  row.parameters.push_back({"init", "what comes before element 0; 0: the operator's identity",
                            [](const RunConfig&) { return std::int64_t{0}; }, 0, true});
  row.peers = {"cub_scan"};
  row.check = check;
  row.program = scan::make_program<SimulatedDevice>;
  row.reference = reference;
  row.lower_bound = lower_bound;
  registry.add(std::move(row));
}

}  // namespace agpusim
