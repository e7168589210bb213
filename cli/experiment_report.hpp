#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/cli/experiment.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/validation/calibrate/device_file.hpp"
#include "agpusim/validation/records/record.hpp"

// What the experiments' commands have in common.
namespace agpusim {

/// The value of --max-seconds.
[[nodiscard]] std::optional<double> time_limit(const ExperimentCommand& command);

/// A bundled record file of the H200.
[[nodiscard]] std::filesystem::path bundled_records(const std::string& name);

/// The times of one or more record files.
[[nodiscard]] std::vector<TimingRecord> read_timings(
    const std::vector<std::filesystem::path>& paths);

/// The device file of the records' device, from --devices or the bundled ones.
[[nodiscard]] DeviceFile device_of(const ExperimentCommand& command,
                                   const std::vector<TimingRecord>& records);

/// Prints what `analyze(command)` returns as the command asks, and writes its page.
template <class Analyze>
void print_report(const ExperimentCommand& command, Analyze analyze) {
  require_output(command.output, command.records);
  exit_on_interrupt();
  put_report(to_report(analyze(command)), command.output);
}

}  // namespace agpusim
