#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/cuda_access.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/calibrate/device_file.hpp"
#include "agpusim/validation/calibrate/device_file_text.hpp"
#include "agpusim/validation/predict/fitted_constants.hpp"
#include "agpusim/validation/report/atomic_file.hpp"

namespace agpusim {
namespace {

struct CalibrateOptions {
  std::string out;   ///< device file to write
  std::string only;  ///< "link": measure just these constants and keep the others of `out`
};

/// The device of the file, with the constants of pipelines measured again.
DeviceFile calibrate_link(const CudaSupport& cuda, const std::string& path) {
  DeviceFile file = load_device(path);
  const std::string device = cuda.environment().device;
  if (file.name != device) {
    throw UsageError(
        fmt::format("{} describes '{}', this machine has '{}'; name its own file with "
                    "--out, or leave --only out to write a new one",
                    path, file.name, device));
  }
  for (const Constant& constant : cuda.calibrate_link()) file.set(constant);
  return file;
}

/// Measures the constants of the first CUDA device and writes its device file. Throws UsageError
/// when others are to be kept and the file describes another device.
void run_calibrate(const CalibrateOptions& options) {
  const CudaSupport cuda = require_cuda();
  require_outputs({{"--out", options.out}});
  exit_on_interrupt();
  const DeviceFile device = [&] {
    Progress progress;
    progress.show("measuring the constants of " + cuda.environment().device);
    if (!options.only.empty()) return calibrate_link(cuda, options.out);
    DeviceFile calibrated = cuda.calibrate();
    complete(calibrated);
    return calibrated;
  }();
  defer_interrupt();
  write_file(options.out, device_file_text(device));
  exit_if_interrupted();
  print(fmt::format("wrote {}\n", options.out));
}

}  // namespace

void setup_calibrate(CLI::App& app) {
  const auto options = std::make_shared<CalibrateOptions>();
  CLI::App* const command =
      add_command(app, "calibrate", "Measure the constants of this machine's GPU (needs CUDA)");
  command->add_option("--out", options->out, "device file to write")
      ->type_name("FILE.json")
      ->required();
  command
      ->add_option("--only", options->only,
                   "measure just these constants and keep the others of the file: link (copies, "
                   "library sorts and the host)")
      ->check(CLI::IsMember({"link"}));
  command->callback([options] { run_calibrate(*options); });
}

}  // namespace agpusim
