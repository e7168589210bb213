#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/sort_bound.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/reduce/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

using namespace reduce;

/// c: odd, so that a stride of c words meets every bank, and at least lg V, so that the tree is
/// hidden.
std::int64_t default_per_lane(const RunConfig& config) {
  const auto lg = std::bit_width(static_cast<std::uint32_t>(config.spec.width)) - 1;
  return std::max<std::int64_t>(1, lg | 1);
}

void check(const RunConfig& config) {
  const std::int64_t lanes = config.spec.width;
  const std::int64_t elements =
      is_ordered(config) ? lanes * (config.parameters.at("per_lane") + 1) : lanes;
  if (elements * element_words(config) > config.spec.shared_words) {
    throw UsageError(
        fmt::format("reduce ({}): needs {} words of shared memory, but M = {}; use a "
                    "larger M or a smaller V",
                    config.variant, elements * element_words(config), config.spec.shared_words));
  }
  const Segments first = steps(config).front().host();
  if (first.per_task > std::int64_t{1} << 30) {
    throw UsageError(
        fmt::format("reduce: a task would take {} elements, at most 2^30 are possible; "
                    "use more tasks or a larger p",
                    first.per_task));
  }
}

std::uint64_t reference(const RunConfig& config) {
  return with_operator(config, [&]<class Operator, bool ordered>() {
    using T = typename Operator::value_type;
    T total = Operator::identity;
    for (const T value : generate<T>(config.input, config.n, config.seed)) {
      total = Operator{}(total, value);
    }
    return checksum<T>(std::vector<T>{total});
  });
}

}  // namespace

void register_reduce(Registry& registry) {
  Algorithm row;
  row.name = "reduce";
  row.family = "reductions and scans";
  row.summary =
      "fold of n elements by an associative operator, in coalesced segments and lane trees";
  row.source = "theory 3.8";
  row.io = {"n/b + k + ceil(k/b) + 1",
            [](const Symbols& s) { return s.n / s.b + s.k + std::ceil(s.k / s.b) + 1; }};
  row.variants = {
      {.name = "commutative",
       .time = {"Theta(n/p + k/b + V/b + log V)",
                [](const Symbols& s) { return s.n / s.p + (s.k + s.width) / s.b + lg(s.width); }},
       .help = "sum: each lane adds every V-th element, then a tree over lanes"},
      // The operator composes affine maps packed in u32.
      {.name = "ordered",
       .time = {"Theta((n/p)(1 + log V / c) + k/b + (V/b)(c + log V))",
                [](const Symbols& s) {
                  return s.n / s.p * (1 + lg(s.width) / s["per_lane"]) + s.k / s.b +
                         s.width / s.b * (s["per_lane"] + lg(s.width));
                }},
       .types = {"u32"},
       .help = "affine maps composed in order: lanes fold c neighbours, then a tree"}};
  row.types = {"u32", "u64"};
  row.inputs = input_kinds();
  row.parameters = segment_parameters();
  row.parameters.push_back(
      {"per_lane", "c, neighbours a lane folds (ordered variant); odd avoids bank conflicts",
       default_per_lane});
  row.peers = {"cub_reduce"};
  row.check = check;
  row.program = reduce::make_program<SimulatedDevice>;
  row.reference = reference;
  row.lower_bound = [](const RunConfig& config) { return reduction_bound(config, "applications"); };
  row.formulas = {formula_of_io("n/b + k + ceil(k/b) + 1 for k partial results, folded by one task",
                                [](const RunConfig& config) -> std::optional<std::int64_t> {
                                  const auto phases = steps(config);
                                  const std::int64_t words = element_words(config);
                                  const std::int64_t b = config.spec.block_words;
                                  if (phases.size() != 2 || b % words != 0) return std::nullopt;
                                  const std::int64_t partials = phases.front().host().tasks;
                                  return ceil_div(config.n * words, b) + partials +
                                         ceil_div(partials * words, b) + 1;
                                })};
  registry.add(std::move(row));
}

}  // namespace agpusim
