#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/integer_sorts/histogram/cost.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort_row.hpp"
#include "agpusim/algorithms/integer_sorts/one_hp_sort/cost.hpp"
#include "agpusim/algorithms/integer_sorts/run_head_hp_sort/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

std::vector<PhaseForm> closed_form(const RunConfig& config) {
  std::vector<PhaseForm> forms;
  if (config.n == 0) return forms;
  const histogram::Bins keys = bins_of(config);
  const Segmentation how = segmentation(config);
  const Cut values(keys.range, how);
  const Cut heads(config.n, how);
  const scan::ScanCost scan = sum_scan_cost(config);
  const std::vector<std::int32_t> places = bins_of_keys(config);
  histogram::append_forms(forms, config.spec, keys, histogram::place_of(config.variant), how,
                          places);
  scan.append(forms, values);
  forms.push_back(fill_form(config.spec, heads, element_words(config)));
  forms.push_back(one_hp_sort::run_heads_form(
      config.spec, values, prefix_sums(histogram::count(places, keys.range)), false));
  scan.append(forms, heads);
  return forms;
}

}  // namespace

void register_run_head_hp_sort(Registry& registry) {
  Algorithm row = integer_sort_row(
      {"(5n+7R)/b", [](const Symbols& s) { return (5 * s.n + 7 * s["range"]) / s.b; }});
  row.name = "run_head_hp_sort";
  row.summary = "sort of integers by one histogram, a scatter of run heads and a max-scan";
  row.source = "theory 3.4, after Kozakai, Bulletin of Hosei University 63, 2022, algorithm 3";
  row.program = run_head_hp_sort::make_program<SimulatedDevice>;
  row.closed_form = closed_form;
  registry.add(std::move(row));
}

}  // namespace agpusim
