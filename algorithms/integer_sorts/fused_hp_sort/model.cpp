#include <fmt/format.h>

#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort_row.hpp"
#include "agpusim/algorithms/integer_sorts/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

/// Steps of the searches of a row of b places: where a run ends in it, by steps that double and
/// then by halves over bR/n values.
double search_steps(const Symbols& s) {
  const double rows_with_ends = std::min(1.0, s.b * expected_values(s.config) / s.n);
  return rows_with_ends * std::log2(1 + s.b * s["range"] / s.n);
}

Bound time_of(histogram::Place place) {
  const Bound first = histogram_time(place);
  return {fmt::format("Theta({} + (R/p)(1 + log V / c) + (n/p)(1 + lg(1+bR/n)))", first.text),
          [first = first.value](const Symbols& s) {
            constexpr double scan = 12;    // T of a scan where a histogram without conflicts has 1
            constexpr double write = 6;    // T of a row of b places without a search
            constexpr double search = 19;  // T of a step of a search
            return first(s.config) + scan * s["range"] / s.p * (1 + lg(s.width) / s["per_lane"]) +
                   s.n / s.p * (write + search * search_steps(s));
          }};
}

Bound io_of(histogram::Place place) {
  const Bound first = histogram_io(place);
  return {fmt::format("(n+3R)/b + (n/b) lg(1+bR/n) + {}", first.text),
          [first = first.value](const Symbols& s) {
            constexpr double search = 4;  // blocks read in a step of a search
            return first(s.config) + (s.n * (1 + search * search_steps(s)) + 3 * s["range"]) / s.b;
          }};
}

}  // namespace

void register_fused_hp_sort(Registry& registry) {
  Algorithm row = integer_sort_row({}, {});
  for (Variant& variant : row.variants) {
    const histogram::Place place = histogram::place_of(variant.name);
    const char* const legend = place == histogram::Place::global ? keys_of_warp_text : "";
    variant.time = time_of(place);
    variant.io = io_of(place);
    variant.time.text += legend;
    variant.io.text += legend;
  }
  row.name = "fused_hp_sort";
  row.summary = "H-P sort of integers whose second half is one phase that writes every key once";
  row.source = "theory 3.3, after Kozakai, Bulletin of Hosei University 63, 2022, algorithm 2";
  row.program = fused_hp_sort::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

}  // namespace agpusim
