#include <fmt/format.h>

#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort_row.hpp"
#include "agpusim/algorithms/integer_sorts/one_hp_sort/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
void register_one_hp_sort(Registry& registry) {
  Algorithm row = integer_sort_row(
      {"(1n+7R)/b", [](const Symbols& s) { return (1 * s.n + 7 * s["range"]) / s.b; }});
  row.name = "one_hp_sort";
  row.summary = "1-H-P sort of distinct integers: histogram, prefix sums, one scatter";
  row.source = "Kozakai, Bulletin of Hosei University 63, 2022, algorithm 3; theory 3.4, 3.6";
  row.inputs = {"distinct", "sorted", "reversed"};
  row.program = one_hp_sort::make_program<SimulatedDevice>;
  row.check = [check = row.check](const RunConfig& config) {
    check(config);
    const std::int64_t values = config.parameters.at("values");
    if (!config.input.starts_with("values:") && config.input != "distinct" && config.n > values) {
      throw UsageError(
          fmt::format("one_hp_sort sorts distinct keys, but input {} repeats some of {} values {} "
                      "times; use input distinct, or hp_sort",
                      config.input, values, config.n));
    }
  };
  registry.add(std::move(row));
}

}  // namespace agpusim
