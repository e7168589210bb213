#include "agpusim/algorithms/integer_sorts/hp_sort/program.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort_row.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
void register_hp_sort(Registry& registry) {
  Algorithm row = integer_sort_row();
  row.name = "hp_sort";
  row.summary = "H-P sort of integers: histogram, prefix sums, histogram, prefix sums";
  row.source = "Kozakai, Bulletin of Hosei University 63, 2022, algorithm 2; theory 3.3, 3.6";
  row.bound_time = "Theta((n+R)/p) + serialisation of equal keys and of absent values";
  row.bound_io = "(6n+6R)/b + blocks of the first histogram's atomics";
  row.program = hp_sort::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

}  // namespace agpusim
