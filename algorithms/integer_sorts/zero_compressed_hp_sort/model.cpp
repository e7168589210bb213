#include <utility>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort_row.hpp"
#include "agpusim/algorithms/integer_sorts/zero_compressed_hp_sort/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

using namespace zero_compressed_hp_sort;

}  // namespace

void register_zero_compressed_hp_sort(Registry& registry) {
  Algorithm row = integer_sort_row();
  row.name = "zero_compressed_hp_sort";
  row.summary = "H-P sort in which only the values that occur pass through the second half";
  row.source = "Kozakai, Bulletin of Hosei University 63, 2022, algorithm 5; theory 3.5, 3.6";
  row.bound_time = "Theta((n+R)/p) + serialisation of equal keys";
  row.bound_io = "(6n+10R+10len)/b + blocks of the histogram's atomics";
  row.program = zero_compressed_hp_sort::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

}  // namespace agpusim
