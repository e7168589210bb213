#include "agpusim/commands/analyze/select_records.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/latest.hpp"

namespace agpusim::detail {
namespace {

std::vector<std::string> names_of(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::string> names;
  std::transform(paths.begin(), paths.end(), std::back_inserter(names),
                 [](const std::filesystem::path& path) { return path.string(); });
  return names;
}

RecordFile read_selected(const AnalysisOptions& options, const DamagedLine& damaged) {
  auto paths = options.records;
  if (paths.empty()) paths = record_folders({"analysis", "table"});
  return read_all_records(paths, damaged);
}

bool wanted(const AnalysisOptions& options, const Environment& environment,
            const RunConfig& config) {
  return (options.algorithm.empty() || config.algorithm == options.algorithm) &&
         (options.device.empty() || environment.device == options.device) &&
         config.n >= options.n_min && config.n <= options.n_max;
}

std::int64_t launch_of(const TimingRecord&) { return 0; }
std::int64_t launch_of(const CounterRecord& record) { return record.launch; }

/// What one measurement is of: records with equal keys measure the same thing.
template <class Record>
auto key(const Record& record) {
  RunConfig group = record.config;
  group.n = 0;
  group.input.clear();
  group.seed = 0;
  return std::tuple(record.environment.device, record.config.algorithm, record.config.variant,
                    record.config.type, config_to_json(group), record.config.n, record.config.input,
                    record.config.seed, launch_of(record));
}

template <class Record>
void keep_selected(std::vector<Record>& records, const AnalysisOptions& options) {
  std::erase_if(records, [&](const Record& record) {
    return !wanted(options, record.environment, record.config);
  });
  std::vector<Record> selected;
  for (auto& [of, record] : latest_by(records, [](const Record& one) { return key(one); })) {
    selected.push_back(std::move(*record));
  }
  records = std::move(selected);
}

}  // namespace

RecordFile select_records(const AnalysisOptions& options, const DamagedLine& damaged) {
  std::string first;  // damaged line, and why
  RecordFile records =
      read_selected(options, [&](const std::string& origin, const std::string& reason) {
        if (first.empty()) first = origin + ": " + reason;
        damaged(origin, reason);
      });
  if (records.timings.empty() && records.counters.empty() && !first.empty()) {
    throw FileError(
        fmt::format("no record can be used: {}; restore the file or measure again", first));
  }
  if (records.timings.empty() && records.counters.empty()) {
    throw UsageError(fmt::format(
        "there is no record in {}: name files (.jsonl) that `agpusim measure` or `import-counters` "
        "wrote, or folders of them",
        fmt::join(names_of(options.records), ", ")));
  }
  std::set<std::string> algorithms;
  std::set<std::string> all_devices;
  const auto note = [&](const auto& record) {
    algorithms.insert(record.config.algorithm);
    all_devices.insert(record.environment.device);
  };
  for (const TimingRecord& record : records.timings) note(record);
  for (const CounterRecord& record : records.counters) note(record);
  keep_selected(records.timings, options);
  keep_selected(records.counters, options);
  std::set<std::string> devices;
  for (const TimingRecord& record : records.timings) devices.insert(record.environment.device);
  for (const CounterRecord& record : records.counters) devices.insert(record.environment.device);
  if (devices.empty()) {
    throw UsageError(
        fmt::format("no record fits the choice of algorithm, device and n; the records are of {} "
                    "on the devices {}",
                    fmt::join(algorithms, ", "), fmt::join(all_devices, ", ")));
  }
  if (devices.size() > 1) {
    throw UsageError(fmt::format("the records are of several devices: choose one of {}",
                                 fmt::join(devices, ", ")));
  }
  return records;
}

}  // namespace agpusim::detail
