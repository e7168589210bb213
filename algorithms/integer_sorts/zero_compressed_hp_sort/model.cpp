#include <utility>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort_row.hpp"
#include "agpusim/algorithms/integer_sorts/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

using namespace zero_compressed_hp_sort;

}  // namespace

void register_zero_compressed_hp_sort(Registry& registry) {
  Algorithm row =
      integer_sort_row({"(5n+9R+10len)/b", [](const Symbols& s) {
                          return (5 * s.n + 9 * s["range"] + 10 * expected_values(s.config)) / s.b;
                        }});
  row.name = "zero_compressed_hp_sort";
  row.summary = "H-P sort in which only the values that occur pass through the second half";
  row.source = "Kozakai, Bulletin of Hosei University 63, 2022, algorithm 5; theory 3.5, 3.6";
  row.program = zero_compressed_hp_sort::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

}  // namespace agpusim
