#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/segmented/row.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {

void register_segmented_reduce(Registry& registry) {
  using namespace segmented;
  Algorithm row = row_of("segmented_reduce", Result::folds);
  row.summary = "the fold of every segment that begins at a head flag, in order";
  row.io = {"5n/b + n/length + O(k)",
            [](const Symbols& s) { return 5 * s.n / s.b + s.n / s["length"] + 8 * s.k; }};
  row.program = segmented_reduce::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

}  // namespace agpusim
