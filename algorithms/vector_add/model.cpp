#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/vector_add/program.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

using namespace vector_add;

void check(const RunConfig& config) {
  if (config.parameters.at("rows") * config.spec.width > (std::int64_t{1} << 30)) {
    throw UsageError("rows: a task takes at most 2^30 elements; use fewer rows");
  }
}

std::uint64_t reference(const RunConfig& config) {
  return with_element_type(config.type, [&]<class T>(T) {
    std::vector<T> a = operand<T>(config, 0);
    const std::vector<T> b = operand<T>(config, 1);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return checksum<T>(a);
  });
}

LowerBound lower_bound(const RunConfig& config) {
  const std::int64_t blocks = element_blocks(config, config.n);
  return {3 * blocks, ceil_div(3 * blocks, config.spec.multiprocessors()),
          "every block of a and b is read and every block of c written; T >= Q/k"};
}

}  // namespace

void register_vector_add(Registry& registry) {
  Algorithm row;
  row.name = "vector_add";
  row.family = "data movement";
  row.summary = "c[i] = a[i] + b[i]: the least a coalesced program can cost";
  row.source = "AGPU model: Koike and Sadakane 2013, section 2";
  row.time = {"Theta(n/p)", [](const Symbols& s) { return s.n / s.p; }};
  row.io = {"3n/b", [](const Symbols& s) { return 3 * s.n / s.b; }};
  row.types = {"u32", "u64"};
  row.inputs = input_kinds();
  row.parameters = {{"rows", "rows of V elements that one task adds",
                     [](const RunConfig&) { return std::int64_t{8}; }}};
  row.check = check;
  row.program = vector_add::make_program<SimulatedDevice>;
  row.reference = reference;
  row.lower_bound = lower_bound;
  row.formulas = {formula_of_io("3 ceil(n/b), n in words", [](const RunConfig& config) {
    return 3 * blocks_requested(config, config.n);
  })};
  registry.add(std::move(row));
}

}  // namespace agpusim
