#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort_row.hpp"
#include "agpusim/algorithms/integer_sorts/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
void register_run_head_hp_sort(Registry& registry) {
  Algorithm row = integer_sort_row(
      {"(5n+7R)/b", [](const Symbols& s) { return (5 * s.n + 7 * s["range"]) / s.b; }});
  row.name = "run_head_hp_sort";
  row.summary = "sort of integers by one histogram, a scatter of run heads and a max-scan";
  row.source = "theory 3.4, after Kozakai, Bulletin of Hosei University 63, 2022, algorithm 3";
  row.program = run_head_hp_sort::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

}  // namespace agpusim
