// launches ROW N TIMES: simulates the launches of one program so many times over, on one thread,
// with nothing else that grows with TIMES, so that the instructions of two calls differ by those of
// launches (dev/observer_cost.sh).
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "agpusim/algorithms/bitonic_sort/program.hpp"
#include "agpusim/algorithms/reduce/program.hpp"
#include "agpusim/algorithms/transpose/program.hpp"
#include "agpusim/algorithms/vector_add/program.hpp"
#include "agpusim/model/agpu/device.hpp"

namespace agpusim {
namespace {

std::unique_ptr<HostProgram> program_of(SimulatedDevice& device, RunConfig config) {
  if (config.algorithm == "transpose") {
    config.variant = "tiled";
    config.parameters = {{"matrix_rows", 128}};
    return transpose::make_program(device, config);
  }
  if (config.algorithm == "reduce") {
    config.variant = "commutative";
    config.parameters = {{"per_lane", 5}, {"rows", 4}, {"tasks", 528}};
    return reduce::make_program(device, config);
  }
  if (config.algorithm == "bitonic_sort") {
    config.parameters = {{"rows", 8}, {"tile", 8192}};
    return bitonic_sort::make_program(device, config);
  }
  config.parameters = {{"rows", 8}};
  return vector_add::make_program(device, config);
}

}  // namespace
}  // namespace agpusim

int main(int count, char** arguments) {
  if (count != 4) return EXIT_FAILURE;
  agpusim::RunConfig config;
  config.algorithm = arguments[1];
  config.n = std::atoll(arguments[2]);
  agpusim::SimulationOptions options;
  options.threads = 1;
  agpusim::SimulatedDevice device(config.spec, options);
  const auto program = agpusim::program_of(device, config);
  for (int i = 0; i < std::atoi(arguments[3]); ++i) program->run();
  std::printf("%016llx\n", static_cast<unsigned long long>(program->checksum()));
}
