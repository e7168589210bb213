#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/reduce/program.hpp"
#include "agpusim/algorithms/reduce/task_cost.hpp"
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
  if (is_ordered(config) && config.type != "u32") {
    throw UsageError(
        "reduce: the ordered variant composes affine maps packed in u32; use --type u32");
  }
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

std::vector<PhaseForm> closed_form(const RunConfig& config) {
  std::vector<PhaseForm> forms;
  with_operator(config, [&]<class Operator, bool ordered>() {
    const reduce::TaskCost cost(config.spec, element_words(config), Operator::alu,
                                ordered ? config.parameters.at("per_lane") : 0);
    for (const Cut& phase : steps(config)) forms.push_back(cost.phase(phase));
  });
  return forms;
}

LowerBound lower_bound(const RunConfig& config) {
  const std::int64_t blocks = ceil_div(config.n * element_words(config), config.spec.block_words);
  const auto lg =
      static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(config.n - 1)));
  return {blocks + 1,
          std::max({ceil_div(blocks + 1, config.spec.multiprocessors()),
                    ceil_div(config.n - 1, config.spec.cores), lg}),
          "every block is read and one written; fan-in 2 needs lg n steps and n-1 applications"};
}

}  // namespace

void register_reduce(Registry& registry) {
  Algorithm row;
  row.name = "reduce";
  row.summary =
      "fold of n elements by an associative operator, in coalesced segments and lane trees";
  row.source = "theory 3.8, after Koike and Sadakane, IJNC 5(1), 2015";
  row.bound_time = "Theta(n/p + log b) for n >= p·b";
  row.bound_io = "n/b + k + ceil(k/b) + 1";
  row.variants = {"commutative", "ordered"};
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
  row.closed_form = closed_form;
  row.lower_bound = lower_bound;
  registry.add(std::move(row));
}

}  // namespace agpusim
