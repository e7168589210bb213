#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/statistics/row.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {

void register_minmax(Registry& registry) {
  using namespace statistics;
  Algorithm row;
  row.name = "minmax";
  row.summary = "minimum and maximum of n numbers and where they are, in one pass over them";
  row.source = "seed 003; theory 3.8, 3.13";
  row.variants = {{.name = "one_pass",
                   .help = "each task finds the extremes of a segment, then these are merged"},
                  one_lane()};
  describe(row);
  row.check = [](const RunConfig& config) {
    without_moments(config, [&]<class T, class Moments, bool serial>() {
      check_machine(config, most_fields<T, Moments>(), serial);
    });
  };
  row.program = agpusim::minmax::make_program<SimulatedDevice>;
  row.reference = [](const RunConfig& config) {
    return without_moments(config, [&]<class T, class Moments, bool>() {
      return expected_checksum<T, Moments>(config);
    });
  };
  registry.add(std::move(row));
}

}  // namespace agpusim
