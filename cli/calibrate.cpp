#include "agpusim/cli/calibrate.hpp"

#include <memory>

#include <fmt/format.h>

#include "agpusim/cli/cuda_access.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/validation/atomic_file.hpp"

namespace agpusim {

void setup_calibrate(CLI::App& app) {
  const auto options = std::make_shared<CalibrateOptions>();
  CLI::App* const command =
      app.add_subcommand("calibrate", "Measure the constants of this machine's GPU (needs CUDA)");
  command->add_option("--out", options->out, "device file to write")
      ->type_name("FILE.json")
      ->required();
  command->callback([options] { run_calibrate(*options); });
}

void run_calibrate(const CalibrateOptions& options) {
  const CudaSupport cuda = require_cuda();
  require_writable(options.out, "choose another place with --out");
  exit_on_interrupt();
  const std::string device = [&] {
    Progress progress;
    progress.show("measuring the constants of " + cuda.environment().device);
    return cuda.calibrate();
  }();
  defer_interrupt();
  write_file(options.out, device);
  exit_if_interrupted();
  print(fmt::format("wrote {}\n", options.out));
}

}  // namespace agpusim
