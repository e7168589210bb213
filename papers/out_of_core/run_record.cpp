#include "agpusim/papers/out_of_core/run_record.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "agpusim/validation/io/json_lines.hpp"
#include "agpusim/validation/records/run_json.hpp"

namespace agpusim::out_of_core {
namespace {

using agpusim::detail::field;
using agpusim::detail::Json;
using agpusim::detail::JsonError;
using agpusim::detail::member;

/// Operations as arrays: engine, stream, name, chunk, bytes, begin and end in microseconds.
Json encode(const Timeline& timeline) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < timeline.operations.size(); ++i) {
    const transfer::Operation& operation = timeline.operations[i];
    const transfer::Interval& interval = timeline.intervals[i];
    rows.push_back({static_cast<int>(operation.engine), operation.stream, operation.name,
                    operation.chunk, operation.bytes, std::round(interval.begin * 1e8) / 1e2,
                    std::round(interval.end * 1e8) / 1e2});
  }
  return rows;
}

Timeline decode_timeline(const Json& rows) {
  Timeline timeline;
  for (const Json& row : rows) {
    constexpr std::size_t columns = 7;
    const bool usable = row.is_array() && row.size() == columns && row[0].is_number_unsigned() &&
                        row[0].get<std::size_t>() < transfer::engines.size() &&
                        row[1].is_number_integer() && row[2].is_string() &&
                        row[3].is_number_integer() && row[4].is_number_integer() &&
                        row[5].is_number() && row[6].is_number();
    if (!usable) throw JsonError("field 'timeline' has an entry that is no operation");
    transfer::Operation operation;
    operation.engine = transfer::engines[row[0].get<std::size_t>()];
    operation.stream = row[1].get<std::int32_t>();
    operation.name = row[2].get<std::string>();
    operation.chunk = row[3].get<std::int64_t>();
    operation.bytes = row[4].get<std::int64_t>();
    timeline.operations.push_back(std::move(operation));
    timeline.intervals.push_back({row[5].get<double>() * 1e-6, row[6].get<double>() * 1e-6});
  }
  return timeline;
}

/// Absent where all runs were on pinned memory.
transfer::HostMemory decode_memory(const Json& json) {
  if (!json.contains("memory")) return transfer::HostMemory::pinned;
  const auto memory = field<std::string>(json, "memory");
  for (const auto each : {transfer::HostMemory::pinned, transfer::HostMemory::pageable}) {
    if (memory == transfer::to_string(each)) return each;
  }
  throw JsonError(fmt::format("field 'memory' is '{}': known are pinned, pageable", memory));
}

RunRecord decode(const Json& json) {
  RunRecord record;
  record.environment = agpusim::detail::decode_environment(member(json, "environment"));
  record.host_cores = field<std::int32_t>(json, "host_cores");
  record.date = field<std::string>(json, "date");
  record.run = {field<std::string>(json, "task"),
                field<std::string>(json, "scheme"),
                field<std::int64_t>(json, "n"),
                field<std::int64_t>(json, "budget"),
                field<std::int64_t>(json, "chunk"),
                field<std::int32_t>(json, "streams"),
                decode_memory(json)};
  const Json& samples = member(json, "seconds");
  const auto usable = [](const Json& sample) {
    return sample.is_number() && std::isfinite(sample.get<double>()) && sample.get<double>() > 0;
  };
  if (!samples.is_array() || samples.empty() ||
      !std::all_of(samples.begin(), samples.end(), usable)) {
    throw JsonError("field 'seconds' is not a list of positive numbers");
  }
  record.seconds = samples.get<std::vector<double>>();
  record.stop = field<std::string>(json, "stop");
  record.timeline = decode_timeline(member(json, "timeline"));
  return record;
}

constexpr const char* budget_name = "budget";
constexpr const char* pageable_name = "pageable";

}  // namespace

RunConfig config_of(const Run& run) {
  RunConfig config;
  config.algorithm = run.task;
  config.variant = run.scheme;
  config.type = "f64";
  config.n = run.n;
  if (run.budget > 0) config.parameters[budget_name] = run.budget;
  if (run.memory == transfer::HostMemory::pageable) config.parameters[pageable_name] = 1;
  return config;
}

Run run_of(const RunConfig& config) {
  Run run{config.algorithm, config.variant, config.n};
  if (const auto it = config.parameters.find(budget_name); it != config.parameters.end()) {
    run.budget = it->second;
  }
  if (config.parameters.contains(pageable_name)) run.memory = transfer::HostMemory::pageable;
  return run;
}

std::vector<double> microseconds(const RunRecord& record) {
  std::vector<double> result;
  for (const double seconds : record.seconds) result.push_back(seconds * 1e6);
  return result;
}

std::string to_line(const RunRecord& record) {
  Json json = {{"environment", agpusim::detail::encode(record.environment)},
               {"host_cores", record.host_cores},
               {"date", record.date},
               {"task", record.run.task},
               {"scheme", record.run.scheme},
               {"n", record.run.n},
               {"budget", record.run.budget},
               {"chunk", record.run.chunk},
               {"streams", record.run.streams},
               {"memory", transfer::to_string(record.run.memory)},
               {"seconds", record.seconds},
               {"stop", record.stop},
               {"timeline", encode(record.timeline)}};
  return agpusim::detail::seal(std::move(json), "out_of_core");
}

std::vector<RunRecord> read_run_records(const std::filesystem::path& path) {
  std::vector<RunRecord> records;
  agpusim::detail::for_each_line(path, [&](const Json& json, const std::string&) {
    const auto kind = field<std::string>(json, "kind");
    if (kind != "out_of_core") {
      throw JsonError(fmt::format("kind '{}' is not a run of an out-of-core task", kind));
    }
    records.push_back(decode(json));
  });
  return records;
}

}  // namespace agpusim::out_of_core
