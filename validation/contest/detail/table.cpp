#include "agpusim/validation/contest/detail/table.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/contest/detail/evaluation.hpp"
#include "agpusim/validation/io/text_table.hpp"

namespace agpusim::contest::detail {
namespace {

using agpusim::detail::size_text;

std::vector<const Algorithm*> rows_of(const Registry& registry,
                                      const std::vector<Contestant>& contestants) {
  std::vector<const Algorithm*> rows;
  for (const Contestant& contestant : contestants) {
    rows.push_back(registry.find_or_null(contestant.algorithm));
  }
  return rows;
}

/// The parameters that the counted runs agree on. A program without a row that was measured on the
/// same keys has the same values where it has them at all (range of the keys).
std::map<std::string, std::int64_t> common_parameters(const std::vector<Entry>& entries) {
  std::map<std::string, std::int64_t> common;
  std::set<std::string> disputed;
  for (const Entry& entry : entries) {
    if (!entry.cost) continue;
    for (const auto& [name, value] : entry.config.parameters) {
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
  for (const Row& row : result.rows) {
    const RunConfig& config = row.entries[contestant].config;
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
  const RunConfig& config = result.rows.front().entries[contestant].config;
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
    : options_(options),
      rows_(rows_of(registry, options.contestants)),
      measured_(options.records),
      kinds_(choose_kinds(rows_, options, measured_)) {}

std::vector<Row> Table::rows(const ComparedMachine& machine) {
  std::vector<Row> rows;
  for (const std::int64_t n : options_.sizes) {
    Row row;
    row.n = n;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      row.entries.push_back(blank(i, machine, n));
      if (!has_row(i)) continue;
      report(options_.contestants[i].label, n);
      add_run(row.entries.back(), *rows_[i], machine);
      ++done_;
    }
    add_programs(row, machine);
    rows.push_back(std::move(row));
  }
  return rows;
}

Entry Table::blank(std::size_t contestant, const ComparedMachine& machine, std::int64_t n) const {
  Entry entry;
  entry.config.algorithm = options_.contestants[contestant].algorithm;
  entry.config.variant = options_.contestants[contestant].variant;
  entry.config.type = kinds_.of[contestant].type;
  entry.config.n = n;
  entry.config.input = kinds_.of[contestant].input;
  entry.config.seed = options_.seed;
  entry.config.spec = machine.spec;
  entry.config.parameters = options_.contestants[contestant].parameters;
  return entry;
}

void Table::add_run(Entry& entry, const Algorithm& algorithm, const ComparedMachine& machine) {
  try {
    entry.config = resolve(algorithm, entry.config);
    const TimingRecord* const record = measured_.of_run(machine.device, entry.config);
    evaluate(entry, algorithm, machine, options_, record);
    if (record != nullptr) entry.measured = measurement_of(*record);
  } catch (const UsageError& error) {
    entry.refusal = error.what();
  }
}

void Table::add_programs(Row& row, const ComparedMachine& machine) const {
  const auto common = common_parameters(row.entries);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (has_row(i)) continue;
    Entry& entry = row.entries[i];
    const Found found = measured_.of_program(machine.device, entry.config, common);
    if (found.record != nullptr) {
      entry.config = found.record->config;
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
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto silent = [&](const Row& row) {
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

void Table::report(const std::string& label, std::int64_t n) const {
  if (!options_.progress) return;
  const auto counted = std::count_if(rows_.begin(), rows_.end(),
                                     [](const Algorithm* row) { return row != nullptr; });
  const double runs = static_cast<double>(counted) *
                      static_cast<double>(options_.machines.size() * options_.sizes.size());
  options_.progress(fmt::format("{} n = {}", label, size_text(n)),
                    static_cast<double>(done_) / runs);
}

}  // namespace agpusim::contest::detail
