#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/validate/own.hpp"
#include "agpusim/commands/validate/to_report.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/io/stats.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/device_file.hpp"
#include "agpusim/validation/records/measurement.hpp"

namespace agpusim {
namespace {

/// The command line of `agpusim validate`.
struct ValidateCommand {
  std::string device = "NVIDIA H200";
  std::optional<double> most_mape;  ///< percent
  bool ablation = false;
  ReportOutput output;
  std::string out;               ///< device file to write; empty: none
  std::vector<std::string> own;  ///< records of a user's own program
};

/// Prints how well the times of a user's own program are predicted on the device of its records.
void validate_own(const ValidateCommand& command) {
  const RecordFile records =
      read_all_records(std::vector<std::filesystem::path>(command.own.begin(), command.own.end()));
  const DeviceFile device =
      find_device(data_folder() / "devices", only_environment(records.timings).device);
  require_outputs({{"--html", command.output.html}});
  exit_on_interrupt();
  Progress progress;
  protocol::Options options;
  options.progress = [&](const std::string& label) { progress.show(label); };
  put_report(protocol::to_report(
                 protocol::own_scores(catalog(), device, records, style_of, options), device),
             command.output);
}

/// Prints how well the model predicts runs that it was not fitted to; throws Mismatch when the mean
/// error of the algorithms left out is above `most_mape`.
void run_validate(const ValidateCommand& command) {
  const DeviceFile device = find_device(data_folder() / "devices", command.device);
  require_outputs({{"--out", command.out}, {"--html", command.output.html}});
  if (command.most_mape && !(*command.most_mape >= 0)) {
    throw UsageError(fmt::format("--most-mape {}: not a percentage of 0 or more, for example 9.9",
                                 *command.most_mape));
  }
  exit_on_interrupt();
  Progress progress;
  protocol::Options options;
  options.ablation = command.ablation;
  options.progress = [&](const std::string& label) { progress.show(label); };
  const protocol::Validation validation = protocol::run(catalog(), device, options);
  put_report(protocol::to_report(validation, device), command.output);
  if (!command.out.empty()) {
    DeviceFile fitted = device;
    const protocol::Score& left_out = validation.lines.front().score;
    set_fitted(fitted, validation.constants, {left_out.mape, left_out.median},
               validation.prologues.empty() ? 0 : mean(validation.prologues));
    write_file(command.out, device_file_text(fitted));
  }
  const double mape = validation.lines.front().score.mape;
  if (command.most_mape && mape > *command.most_mape / 100) {
    throw Mismatch(
        fmt::format("the mean error with each algorithm left out is {:.1f} %, above {} %",
                    100 * mape, *command.most_mape));
  }
}

}  // namespace

void setup_validate(CLI::App& app) {
  const auto command = std::make_shared<ValidateCommand>();
  CLI::App* const sub = add_command(
      app, "validate", "Score the predicted times on runs that the model was not fitted to");
  sub->add_option("--device", command->device, "name of a device with measurements")
      ->type_name("NAME")
      ->capture_default_str();
  sub->add_option("--most-mape", command->most_mape,
                  "fail (exit code 7) when the mean error with each algorithm left out is larger")
      ->type_name("PERCENT");
  sub->add_flag("--ablation", command->ablation, "fit the model without each of its terms, too");
  add_report_options(*sub, command->output);
  sub->add_option("--out", command->out, "write the device file with the constants fitted here")
      ->type_name("FILE.json");
  CLI::Option* const own =
      sub->add_option(
             "--own", command->own,
             "score only the times in this file, of this program's own rows; may be repeated")
          ->type_name("FILE.jsonl");
  for (const char* const name : {"--device", "--most-mape", "--ablation", "--out"}) {
    own->excludes(sub->get_option(name));
  }
  sub->footer("Example: agpusim validate");
  sub->callback(
      [command] { command->own.empty() ? run_validate(*command) : validate_own(*command); });
}

}  // namespace agpusim
