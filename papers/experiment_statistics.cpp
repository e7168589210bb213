
#include <fmt/format.h>

#include "agpusim/algorithms/statistics/accuracy.hpp"
#include "agpusim/cli/catalog.hpp"
#include "agpusim/papers/common/paper_json.hpp"
#include "agpusim/papers/experiment_table.hpp"
#include "agpusim/papers/statistics/to_report.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim {
namespace {

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

}  // namespace

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

}  // namespace agpusim
