#include <cstdio>
#include <exception>

#include "agpusim/commands/calibrate/calibrate.hpp"
#include "agpusim/commands/measure/measure.hpp"
#include "agpusim/papers/experiment.hpp"
#include "agpusim/tests/fake_device/fake_device.hpp"

// Prints the JSON of a command that needs a GPU, on a device that needs 10 us for everything:
// agpusim_fake_device COMMAND FOLDER, where the files go that the command writes.
int main(int argc, char** argv) {
  using namespace agpusim;
  if (argc != 3) return 2;
  const std::string command = argv[1];
  const std::string file = std::string(argv[2]) + "/" + command + ".json";
  test::FakeDevice device;
  try {
    if (command == "measure" || command == "profile") {
      MeasureOptions options;
      options.algorithms = {"vector_add"};
      options.n_min = options.n_max = 1 << 12;
      options.out = file;
      options.profile = command == "profile";
      options.output.json = true;
      run_measure(options, device.support());
    } else if (command == "experiment") {
      ExperimentCommand options;
      options.name = "statistics";
      options.measure = file;
      options.sizes.n_max = 100;
      options.output.json = true;
      run_experiment(options, device.support());
    } else {
      CalibrateOptions options;
      options.out = file;
      options.output.json = true;
      run_calibrate(options, device.support());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
