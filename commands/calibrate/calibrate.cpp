#include "agpusim/commands/calibrate/calibrate.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/predict/fitted_constants.hpp"
#include "agpusim/validation/records/device_file.hpp"
#include "agpusim/validation/records/gpu_machines.hpp"

namespace agpusim {
namespace {

/// A device and which of its constants were measured.
struct Calibrated {
  DeviceFile file;
  std::vector<Constant> measured;
};

/// The device of the file, with the constants of pipelines measured again.
Calibrated calibrate_link(const CudaSupport& cuda, const std::string& path) {
  DeviceFile file = load_device(path);
  const std::string device = cuda.environment().device;
  if (file.name != device) {
    throw UsageError(
        fmt::format("{} describes '{}', this machine has '{}'; name its own file with "
                    "--out, or leave --only out to write a new one",
                    path, file.name, device));
  }
  const std::vector<Constant> measured = cuda.calibrate_link();
  for (const Constant& constant : measured) file.set(constant);
  return {file, measured};
}

/// The name of a file's first machine: the file's, with a dash for what no name may have.
std::string machine_name(const std::filesystem::path& path) {
  std::string name = path.stem().string();
  const auto is_separator = [](unsigned char c) { return c == ',' || std::isspace(c) != 0; };
  std::replace_if(name.begin(), name.end(), is_separator, '-');
  return name;
}

report::Report to_report(const Calibrated& calibrated, const std::string& path) {
  using report::Column;
  using report::Format;
  using report::Value;
  const auto text = [](const char* key, std::string Constant::*member) {
    return Column<Constant>{{key, key, Format::text},
                            [member](const Constant& c) { return Value(c.*member); }};
  };
  report::Report written{"Constants of " + calibrated.file.name, {}};
  written.body.facts = {{{"device", ""}, calibrated.file.name},
                        {{"file", "file", Format::text}, path}};
  const std::vector<Column<Constant>> columns = {
      text("name", &Constant::name),
      {{"value", "value", Format::decimal}, [](const Constant& c) { return Value(c.value); }},
      text("unit", &Constant::unit),
      text("source", &Constant::source),
      text("method", &Constant::method),
      text("date", &Constant::date)};
  report::Table table = report::table("constants", columns, calibrated.measured);
  table.csv = true;
  written.body.tables = {table};
  return written;
}

}  // namespace

void run_calibrate(const CalibrateOptions& options, const std::function<CudaSupport()>& cuda) {
  const CudaSupport support = cuda();
  require_outputs({{"--out", options.out}, {"--html", options.output.html}});
  exit_on_interrupt();
  const Calibrated calibrated = [&]() -> Calibrated {
    Progress progress;
    progress.show("measuring the constants of " + support.environment().device);
    if (!options.only.empty()) return calibrate_link(support, options.out);
    DeviceFile device = support.calibrate();
    std::vector<Constant> measured = device.constants;
    complete(device);
    device.machines = gpu_machines(device, machine_name(options.out));
    return {std::move(device), std::move(measured)};
  }();
  defer_interrupt();
  write_file(options.out, device_file_text(calibrated.file));
  exit_if_interrupted();
  put_report(to_report(calibrated, options.out), options.output);
}

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
  add_report_options(*command, options->output);
  command->footer(
      "Example:\n  agpusim calibrate --out cards/mycard.json\n"
      "  agpusim why scan --n 2^20 --devices cards --machine mycard");
  command->callback([options] { run_calibrate(*options); });
}

}  // namespace agpusim
