#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/integer_sorts/fused_hp_sort/program.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort_row.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

/// Reads of prefix sums: a row of b places searches where a run ends in it.
double searches(const Symbols& s) {
  const double runs = s.b * s["range"] / s.n;  // values per row of b places
  return std::min(1.0, runs) * lg(1 + runs);
}

}  // namespace

void register_fused_hp_sort(Registry& registry) {
  Algorithm row = integer_sort_row(
      {"(n+4R)/b + min(n/b,R) lg(1+bR/n)",
       [](const Symbols& s) { return (s.n + 4 * s["range"]) / s.b + s.n / s.b * searches(s); }},
      {" + (n/p) lg(1+bR/n)", [](const Symbols& s) { return s.n / s.p * searches(s); }});
  row.name = "fused_hp_sort";
  row.summary = "H-P sort of integers whose second half is one phase that writes every key once";
  row.source = "theory 3.3, after Kozakai, Bulletin of Hosei University 63, 2022, algorithm 2";
  row.program = fused_hp_sort::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

}  // namespace agpusim
