#include <algorithm>
#include <bit>
#include <type_traits>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/algorithms/scan/task_cost.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

void check(const RunConfig& config) {
  if (config.variant == "affine" && config.type != "u32") {
    throw UsageError("scan: affine maps are packed in u32; use --type u32");
  }
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
    T total = Operator::identity;
    for (T& value : values) {
      const T next = Operator{}(total, value);
      value = exclusive ? total : next;
      total = next;
    }
    return checksum<T>(values);
  });
}

/// The cost of the methods that take one parameter: whether the scan is exclusive.
scan::ScanCost tile_scan_cost(const RunConfig& config) {
  const std::int64_t words = element_words(config);
  const bool exclusive = config.parameters.at("exclusive") != 0;
  const auto cost = [&](bool is_exclusive) {
    return config.variant == "kogge_stone"
               ? scan::kogge_stone_cost(config.spec, words, 1, is_exclusive)
               : scan::blelloch_cost(config.spec, words, 1, is_exclusive,
                                     config.variant == "blelloch_padded");
  };
  return {config.spec, words, 1, cost(true), cost(exclusive)};
}

std::vector<PhaseForm> closed_form(const RunConfig& config) {
  std::vector<PhaseForm> forms;
  const Cut cut = scan::cut_of_run(config);
  scan::with_method(config, [&]<class Operator, class Method, scan::Order order>() {
    if constexpr (std::is_same_v<Method, scan::LaneSerial>) {
      const scan::ScanCost cost(config.spec, element_words(config), Operator::alu,
                                Operator::commutative, config.parameters.at("per_lane"));
      if constexpr (order == scan::Order::scan_then_add) {
        cost.append_then_add(forms, cut);
      } else {
        cost.append(forms, cut);
      }
    } else {
      tile_scan_cost(config).append(forms, cut);
    }
  });
  return forms;
}

LowerBound lower_bound(const RunConfig& config) {
  const std::int64_t blocks = ceil_div(config.n * element_words(config), config.spec.block_words);
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
  row.summary = "all prefixes of n elements under an associative operator: reduce, then scan";
  row.source =
      "theory 3.8; Kogge and Stone, IEEE Trans. Computers C-22, 1973; Blelloch, CMU-CS-90-190, "
      "1990";
  row.bound_time = "Theta(n/p + k/b + log b)";
  row.bound_io = "3n/b + O(k)";
  row.variants = {"sum",         "max",      "affine",         "scan_then_add",
                  "kogge_stone", "blelloch", "blelloch_padded"};
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
  row.peers = {"cub_scan"};
  row.check = check;
  row.program = scan::make_program<SimulatedDevice>;
  row.reference = reference;
  row.closed_form = closed_form;
  row.lower_bound = lower_bound;
  registry.add(std::move(row));
}

}  // namespace agpusim
