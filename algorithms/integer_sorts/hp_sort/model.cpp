#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/integer_sorts/histogram/cost.hpp"
#include "agpusim/algorithms/integer_sorts/hp_sort/program.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort_row.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

std::vector<PhaseForm> closed_form(const RunConfig& config) {
  std::vector<PhaseForm> forms;
  if (config.n == 0) return forms;
  const histogram::Bins keys = bins_of(config);
  const Segmentation how = segmentation(config);
  const std::vector<std::int32_t> places = bins_of_keys(config);
  const scan::ScanCost scan = sum_scan_cost(config);
  histogram::append_forms(forms, config.spec, keys, histogram::place_of(config.variant), how,
                          places);
  scan.append(forms, Cut(keys.range, how));
  histogram::append_forms(
      forms, config.spec, {keys.range, 0, static_cast<std::int32_t>(config.n + 1)},
      histogram::Place::global, how, prefix_sums(histogram::count(places, keys.range)));
  scan.append(forms, Cut(config.n, how));
  return forms;
}

}  // namespace

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
  row.closed_form = closed_form;
  registry.add(std::move(row));
}

}  // namespace agpusim
