#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort_row.hpp"
#include "agpusim/algorithms/integer_sorts/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
void register_hp_sort(Registry& registry) {
  Algorithm row = integer_sort_row(
      {"(5n+5R)/b", [](const Symbols& s) { return (5 * s.n + 5 * s["range"]) / s.b; }},
      {" + (R/p) min(b, R/len)", [](const Symbols& s) {
         const double range = s["range"];
         return range / s.p * std::min(s.b, range / expected_values(s.config));
       }});
  row.name = "hp_sort";
  row.summary = "H-P sort of integers: histogram, prefix sums, histogram, prefix sums";
  row.source = "Kozakai, Bulletin of Hosei University 63, 2022, algorithm 2; theory 3.3, 3.6";
  row.program = hp_sort::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

}  // namespace agpusim
