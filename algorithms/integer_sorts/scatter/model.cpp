
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"
#include "agpusim/algorithms/integer_sorts/scatter/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

void check(const RunConfig& config) { check_segments(config); }

std::uint64_t reference(const RunConfig& config) {
  return with_element_type(config.type, [&]<class T>(T) {
    const std::vector<std::int32_t> index = scatter::places(config);
    const std::vector<T> in = generate<T>("uniform", config.n, config.seed);
    std::vector<T> out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) out[static_cast<std::size_t>(index[i])] = in[i];
    return checksum<T>(out);
  });
}

LowerBound lower_bound(const RunConfig& config) {
  const std::int64_t io = 2 * element_blocks(config, config.n) + config.spec.blocks_of(config.n, 4);
  return lower_bound_of_io(config, io,
                           "every block of indices and elements is read, every block is written");
}

/// D, the blocks that b places are expected to lie in.
double blocks_of_warp(const Symbols& s) {
  if (s.config.input != "random") return 1;
  const double blocks = std::max(1.0, s.n / s.b);
  return blocks * (1 - std::pow(1 - 1 / blocks, s.b));
}

}  // namespace

void register_scatter(Registry& registry) {
  Algorithm row;
  row.name = "scatter";
  row.family = "data movement";
  row.summary = "out[index[i]] = in[i] for a permutation of n elements";
  row.source = "theory L3, L4";
  row.time = {"Theta(Dn/p); of b places: D blocks, 1 to b",
              [](const Symbols& s) { return (2 + blocks_of_warp(s)) * s.n / s.p; }};
  row.io = {"(2+D)n/b; of b places: D blocks, 1 to b",
            [](const Symbols& s) { return (2 + blocks_of_warp(s)) * s.n / s.b; }};
  row.types = {"u32", "u64"};
  row.inputs = {"random", "identity", "reversed"};
  row.min_n = 0;
  row.parameters = segment_parameters();
  row.check = check;
  row.program = scatter::make_program<SimulatedDevice>;
  row.reference = reference;
  row.lower_bound = lower_bound;
  registry.add(std::move(row));
}

}  // namespace agpusim
