#include "agpusim/commands/validate/fit_rows.hpp"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/measurement.hpp"
#include "agpusim/validation/rows/evaluate.hpp"

namespace agpusim::protocol {

FitRow fit_row_of(Row&& row) {
  FitRow fit{std::move(row)};
  const RunConfig& config = fit.run.config;
  fit.style = config.algorithm;
  fit.problem =
      fmt::format("{} {} {} {:016x}", config.type, config.n, config.input, fit.record->checksum);
  fit.record = nullptr;  // rows outlive the records
  return fit;
}

RowSet read_rows(const Registry& registry, const DeviceFile& device, const std::string& experiment,
                 const RecordFile& file, const Options& options,
                 std::vector<std::string>& refused) {
  const RecordsByRun records = latest_by_run(file.timings, device.name);
  std::vector<Run> runs;
  for (const auto& [key, record] : records) {
    const Algorithm* const row = registry.find_or_null(record->config.algorithm);
    if (row == nullptr) continue;
    runs.push_back({record->config.algorithm, row, record->config});
  }
  if (options.progress) options.progress("counts of the " + experiment);
  Sources sources = known_only();
  sources.records = &records;
  RowSet set{experiment, {}};
  for (Row& row : evaluate(runs, sources, {})) {
    if (!row.counted || !row.counted->report.phases.front().execution.counted) {
      refused.push_back(short_origin(row.record->origin) +
                        ": its counts or their execution are not stored: agpusim count");
      continue;
    }
    row.compiled = phases_of_kernels(*row.run.algorithm, row.run.config, row.counted->report);
    set.rows.push_back(fit_row_of(std::move(row)));
  }
  return set;
}

std::vector<DeviceRows> read_rows_of_all(const Registry& registry, const std::string& experiment,
                                         const Options& options, std::vector<std::string>& refused,
                                         const std::string& without) {
  const RecordFile file = read_all_records(record_folders({experiment}));
  std::set<std::string> devices;
  for (const TimingRecord& record : file.timings) devices.insert(record.environment.device);
  devices.erase(without);
  std::vector<DeviceRows> all;
  for (const std::string& name : devices) {
    DeviceFile device = find_device(data_folder() / "devices", name);
    RowSet set = read_rows(registry, device, experiment, file, options, refused);
    if (!set.rows.empty()) all.push_back({std::move(device), std::move(set)});
  }
  return all;
}

}  // namespace agpusim::protocol
