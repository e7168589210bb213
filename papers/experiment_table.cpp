#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "agpusim/algorithms/statistics/accuracy.hpp"
#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/machines.hpp"
#include "agpusim/cli/suggest.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/papers/common/paper_json.hpp"
#include "agpusim/papers/experiment.hpp"
#include "agpusim/papers/integer_sorts/experiment.hpp"
#include "agpusim/papers/statistics/experiment.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

/// What a plan is held against: records, their device, sizes and machines; shows the progress.
contest::ContestOptions contest_options(const ExperimentCommand& command,
                                        const std::string& bundled) {
  contest::ContestOptions options;
  options.records = read_all_records(records_of(command, bundled)).timings;
  if (options.records.empty()) {
    throw UsageError("the files hold no times: measure with --measure FILE.jsonl");
  }
  options.device = device_of(command, options.records.front().environment.device);
  options.sizes = command.sizes;
  options.machine = spec_of_machine;
  options.threads = command.threads;
  options.progress = [progress = std::make_shared<Progress>()](double fraction) {
    progress->show(fmt::format("{:3.0f} % predicted", 100 * fraction));
  };
  return options;
}

report::Report integer_sorts_report(const ExperimentCommand& command) {
  const std::filesystem::path calibration =
      command.cub_records.empty()
          ? data_folder() / "data" / "h200" / "integer_sorts" / "cub_radix.jsonl"
          : std::filesystem::path(command.cub_records);
  const contest::ContestOptions options = contest_options(command, "integer_sorts/times.jsonl");
  report::Report report =
      to_report(integer_sorts_contest(contest::bundled_plan("integer_sorts/plan.json"), catalog(),
                                      options, read_records(calibration).timings));
  auto& sections = report.body.sections;
  sections.insert(sections.end() - 1,
                  counting_sorts_section(read_counting_sorts(
                      data_folder() / "data" / "h200" / "counting_sort" / "times.jsonl",
                      load_device(data_folder() / "devices" / "h200.json"))));
  return report;
}

/// The machine of each card of the paper, and the name of the file that describes the card.
constexpr const char* card_machines[] = {"9400gt", "gt220", "gtx480"};

/// Numbers whose variance is computed; a second's work.
constexpr std::int64_t accuracy_n = 100'000;
constexpr std::uint64_t accuracy_seed = 1;

std::vector<statistics_experiment::Card> cards() {
  std::vector<statistics_experiment::Card> result;
  for (const std::string machine : card_machines) {
    const DeviceFile device = load_device(data_folder() / "devices" / (machine + ".json"));
    result.push_back({device.name, machine, spec_of_machine(machine),
                      device.value("processor_clock"), device.value("bandwidth_peak")});
  }
  return result;
}

report::Report statistics_report(const ExperimentCommand& command) {
  statistics_experiment::Experiment experiment;
  experiment.account = statistics_experiment::account(
      catalog(),
      statistics_experiment::load_seed_times(paper_file("statistics/printed_times.json")), cards());
  const contest::ContestOptions options = contest_options(command, "statistics/times.jsonl");
  experiment.panels =
      contest::hold(contest::bundled_plan("statistics/plan.json"), catalog(), options);
  experiment.bandwidth = statistics_experiment::bandwidth_of(experiment.panels, options.device);
  experiment.accuracy_n = accuracy_n;
  experiment.accuracy = statistics::variance_errors(accuracy_n, accuracy_seed);
  return to_report(experiment);
}

}  // namespace

std::vector<fs::path> records_of(const ExperimentCommand& command, const std::string& bundled) {
  if (command.records.empty()) return {data_folder() / "data" / "h200" / bundled};
  return {command.records.begin(), command.records.end()};
}

DeviceFile device_of(const ExperimentCommand& command, const std::string& device) {
  return find_device(
      command.devices.empty() ? data_folder() / "devices" : fs::path(command.devices), device);
}

AgpuSpec spec_of_machine(const std::string& name) { return find_machine(name).spec; }

const std::vector<PaperExperiment>& paper_experiments() {
  static const std::vector<PaperExperiment> table = {
      {"integer-sorts", "kozakai",
       "integer sorts from histograms and prefix sums against CUB radix sort, on five data sets "
       "(Kozakai 2022, seed 000)",
       "integer_sorts/plan.json", "integer_sorts/calibration.json", integer_sorts_report},
      {"statistics", "nishimura",
       "minimum, maximum, mean and variance: the paper's times from counts, and a GPU of today "
       "(Nishimura and Toyonaga, seed 003)",
       "statistics/plan.json", "", statistics_report},
      {"out-of-core", "miura",
       "arrays larger than the device's memory: the transfer model, and a GPU of today (Miura, "
       "Chang and Miyazaki, seed 004)",
       "", "", out_of_core_report, measure_out_of_core}};
  return table;
}

const PaperExperiment& find_experiment(const std::string& name) {
  const auto& all = paper_experiments();
  const auto it = std::find_if(all.begin(), all.end(), [&](const PaperExperiment& experiment) {
    return experiment.name == name || experiment.alias == name;
  });
  if (it != all.end()) return *it;
  std::vector<std::string> known;
  for (const PaperExperiment& experiment : all) {
    known.insert(known.end(), {experiment.name, experiment.alias});
  }
  throw unknown_name("experiment", name, known);
}

}  // namespace agpusim
