#include "agpusim/commands/compare/detail/table.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/latest.hpp"
#include "agpusim/validation/rows/evaluate.hpp"

namespace agpusim::contest::detail {
namespace {

using agpusim::detail::size_text;

/// The parameters that the counted runs agree on. A program without a row that was measured on the
/// same keys has the same values where it has them at all (range of the keys).
std::map<std::string, std::int64_t> common_parameters(const std::vector<Row>& entries) {
  std::map<std::string, std::int64_t> common;
  std::set<std::string> disputed;
  for (const Row& entry : entries) {
    if (!entry.counted) continue;
    for (const auto& [name, value] : entry.run.config.parameters) {
      const auto [it, added] = common.try_emplace(name, value);
      if (!added && it->second != value) disputed.insert(name);
    }
  }
  for (const std::string& name : disputed) common.erase(name);
  return common;
}

/// The first few of the choices.
std::string choices_text(std::vector<std::string> choices) {
  constexpr std::size_t most = 3;
  const std::size_t count = choices.size();
  if (count > most) {
    choices.resize(most);
    choices.push_back(fmt::format("{} more", count - most));
  }
  return fmt::format("{}", fmt::join(choices, " or "));
}

/// Whether a record is of the run on the same data, whatever its machine and parameters.
bool same_data(const RunConfig& recorded, const RunConfig& config) {
  return recorded.variant == config.variant && recorded.type == config.type &&
         recorded.input == config.input && recorded.seed == config.seed;
}

/// How the recorded runs of the same sizes differ from the contestant's, each way once.
std::vector<std::string> near_runs(std::size_t contestant, const MachineResult& result,
                                   const MeasuredTimes& measured) {
  std::vector<std::string> near;
  for (const SizeRows& row : result.rows) {
    const RunConfig& config = row.entries[contestant].run.config;
    for (const TimingRecord* const record : measured.of_algorithm(config.algorithm)) {
      const RunConfig& recorded = record->config;
      if (record->environment.device != result.machine.device || recorded.n != config.n ||
          !same_data(recorded, config)) {
        continue;
      }
      std::string text;
      for (const auto& [name, value] : recorded.parameters) {
        const auto it = config.parameters.find(name);
        if (it != config.parameters.end() && it->second == value) continue;
        text += fmt::format("{}{}={}", text.empty() ? "with " : ",", name, value);
      }
      if (recorded.spec != config.spec) {
        text += (text.empty() ? "on " : " on ") + recorded.spec.to_string();
      }
      if (std::find(near.begin(), near.end(), text) == near.end()) near.push_back(text);
    }
  }
  return near;
}

/// The sizes that a program without a row was measured at.
std::vector<std::string> near_sizes(std::size_t contestant, const MachineResult& result,
                                    const MeasuredTimes& measured) {
  const RunConfig& config = result.rows.front().entries[contestant].run.config;
  std::set<std::int64_t> sizes;
  for (const TimingRecord* const record : measured.of_algorithm(config.algorithm)) {
    if (record->environment.device == result.machine.device && same_data(record->config, config)) {
      sizes.insert(record->config.n);
    }
  }
  std::vector<std::string> texts;
  std::transform(sizes.begin(), sizes.end(), std::back_inserter(texts), size_text);
  if (texts.empty()) return {};
  return {fmt::format("some at n = {}", fmt::join(texts, ", "))};
}

}  // namespace

Table::Table(const Registry& registry, const Options& options)
    : registry_(registry),
      options_(options),
      measured_(options.records),
      kinds_(choose_kinds(registry, options, measured_)) {}

std::vector<SizeRows> Table::rows(const ComparedMachine& machine) {
  std::vector<Run> runs;
  for (const std::int64_t n : options_.sizes) {
    for (const Contestant& one : kinds_.of) {
      runs.push_back(run_of(registry_, options_, one, machine, n));
    }
  }
  std::vector<Row> all = evaluated(runs, machine);
  ++machines_done_;
  std::vector<SizeRows> rows;
  auto next = std::make_move_iterator(all.begin());
  for (const std::int64_t n : options_.sizes) {
    const auto end = next + std::ssize(kinds_.of);
    SizeRows& row = rows.emplace_back(SizeRows{n, {next, end}});
    next = end;
    add_programs(row, machine);
  }
  return rows;
}

const RecordsByRun& Table::records_of(const std::string& device) {
  const auto [it, added] = records_.try_emplace(device);
  if (!added || device.empty()) return it->second;
  for (const Contestant& contestant : options_.contestants) {
    for (const TimingRecord* const record : measured_.of_algorithm(contestant.algorithm)) {
      if (record->environment.device != device) continue;
      keep_latest(it->second[config_to_json(record->config)], *record);
    }
  }
  return it->second;
}

std::vector<Row> Table::evaluated(const std::vector<Run>& runs, const ComparedMachine& machine) {
  Sources sources;
  sources.counting.threads = options_.threads;
  sources.counting.verify = options_.simulate;
  sources.counting.require_memory = options_.require_memory;
  sources.records = &records_of(machine.device);
  Schedule schedule;
  schedule.threads = options_.threads;
  if (options_.progress) {
    schedule.progress = [&](std::string_view name, double done) {
      options_.progress(name, (static_cast<double>(machines_done_) + done) /
                                  static_cast<double>(options_.machines.size()));
    };
  }
  std::vector<Row> rows = evaluate(runs, sources, schedule);
  for (Row& row : rows) {
    if (!row.refusal.empty()) row.measured.reset();
    if (row.record == nullptr || row.agrees_with(row.record->checksum)) continue;
    throw FileError(fmt::format(
        "{}: {} with n = {}: field 'checksum' is {:016x}, the result of this run has {:016x}; "
        "measure again",
        row.record->origin, row.run.config.algorithm, row.n(), row.record->checksum,
        *row.counted->checksum));
  }
  return rows;
}

void Table::add_programs(SizeRows& row, const ComparedMachine& machine) const {
  const auto common = common_parameters(row.entries);
  for (std::size_t i = 0; i < kinds_.of.size(); ++i) {
    if (has_row(i)) continue;
    Row& entry = row.entries[i];
    const Found found = measured_.of_program(machine.device, entry.run.config, common);
    if (found.record != nullptr) {
      entry.run.config = found.record->config;
      entry.measured = measurement_of(*found.record);
    } else if (!found.choices.empty()) {
      entry.refusal = fmt::format("measured with several parameters, choose one of them: {}",
                                  choices_text(found.choices));
    }
  }
}

std::vector<std::string> Table::untimed(const MachineResult& result) const {
  std::vector<std::string> remarks;
  if (result.machine.device.empty()) return remarks;
  for (std::size_t i = 0; i < kinds_.of.size(); ++i) {
    const auto silent = [&](const SizeRows& row) {
      return !row.entries[i].measured && row.entries[i].refusal.empty();
    };
    if (!std::all_of(result.rows.begin(), result.rows.end(), silent)) continue;
    const std::vector<std::string> near =
        has_row(i) ? near_runs(i, result, measured_) : near_sizes(i, result, measured_);
    if (near.empty()) continue;
    remarks.push_back(fmt::format("{} has no times here; there are {}",
                                  options_.contestants[i].label, choices_text(near)));
  }
  return remarks;
}

}  // namespace agpusim::contest::detail
