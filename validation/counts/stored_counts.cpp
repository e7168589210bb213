#include "agpusim/validation/counts/stored_counts.hpp"

#include <algorithm>
#include <vector>

#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/counts/phase_json.hpp"
#include "agpusim/validation/io/json_lines.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/run_json.hpp"

namespace agpusim {
namespace {

using detail::Json;

CountRecord decode(const Json& json) {
  if (detail::field<std::string>(json, "kind") != "simulated counts") {
    throw detail::JsonError("the record holds no simulated counts");
  }
  CountRecord record;
  record.config = detail::decode_config(detail::member(json, "config"));
  if (!detail::member(json, "checksum").is_null()) {
    record.checksum = detail::hex_field(json, "checksum");
  }
  record.fingerprint = detail::hex_field(json, "fingerprint");
  record.report.spec = record.config.spec;
  record.report.time_total_max = detail::field<std::int64_t>(json, "T_tot");
  record.report.global_words_peak = detail::field<std::int64_t>(json, "global_words");
  record.report.host_words_in = detail::field<std::int64_t>(json, "host_words_in");
  record.report.host_words_out = detail::field<std::int64_t>(json, "host_words_out");
  for (const Json& phase : detail::member(json, "phases")) {
    record.report.phases.push_back(detail::decode_phase(phase));
  }
  return record;
}

using Records = std::unordered_map<std::string, CountRecord>;

void put(CountRecord record, Records& records) {
  std::string key = config_to_json(record.config);
  records.insert_or_assign(std::move(key), std::move(record));
}

void read_counts(const std::filesystem::path& path, Records& records) {
  detail::for_each_line(path,
                        [&](const Json& json, const std::string&) { put(decode(json), records); });
}

}  // namespace

std::string to_line(const CountRecord& record) {
  Json phases = Json::array();
  for (const PhaseReport& phase : record.report.phases) phases.push_back(detail::encode(phase));
  return detail::seal(
      {{"config", detail::encode(record.config)},
       {"checksum", record.checksum ? Json(detail::to_hex(*record.checksum)) : Json()},
       {"fingerprint", detail::to_hex(record.fingerprint)},
       {"T_tot", record.report.time_total_max},
       {"global_words", record.report.global_words_peak},
       {"host_words_in", record.report.host_words_in},
       {"host_words_out", record.report.host_words_out},
       {"phases", std::move(phases)}},
      "simulated counts");
}

CountRecord count_record(const std::string& line) { return decode(detail::unseal(line)); }

StoredCounts StoredCounts::of_folder(std::filesystem::path folder) {
  StoredCounts counts;
  counts.folder_ = std::make_unique<Folder>();
  counts.folder_->path = std::move(folder);
  return counts;
}

std::unique_lock<std::mutex> StoredCounts::with(const std::string& algorithm) const {
  if (!folder_) return {};
  std::unique_lock lock(folder_->mutex);
  if (!folder_->read.insert(algorithm).second) return lock;
  for (const char* const end : {".jsonl.xz", ".jsonl"}) {
    const auto file = folder_->path / (algorithm + end);
    if (std::filesystem::is_regular_file(file)) read_counts(file, records_);
  }
  return lock;
}

void StoredCounts::read(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(path)) {
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (detail::is_json_lines(entry.path())) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
  } else {
    files.push_back(path);
  }
  for (const auto& file : files) read_counts(file, records_);
}

void StoredCounts::add(CountRecord record) { put(std::move(record), records_); }

const CountRecord* StoredCounts::find(const RunConfig& config) const {
  const std::string key = config_to_json(config);
  const auto lock = with(config.algorithm);
  const auto it = records_.find(key);
  if (it != records_.end()) return &it->second;
  return beneath_ == nullptr ? nullptr : beneath_->find(config);
}

const CountRecord* StoredCounts::find_smaller(const Algorithm& algorithm,
                                              const RunConfig& config) const {
  const CountRecord* largest =
      beneath_ == nullptr ? nullptr : beneath_->find_smaller(algorithm, config);
  const auto lock = with(config.algorithm);
  for (const auto& [key, record] : records_) {
    const RunConfig& other = record.config;
    const bool candidate = other.n < config.n &&
                           (largest == nullptr || other.n > largest->config.n) &&
                           other.algorithm == config.algorithm && other.spec == config.spec;
    if (candidate && with_size(algorithm, config, other.n) == other) largest = &record;
  }
  return largest;
}

namespace {

/// The run with at most 1000 elements and no parameter above 4096, or as near to it as the row
/// takes.
RunConfig small_run(const Algorithm& algorithm, const RunConfig& config) {
  constexpr std::int64_t most_elements = 1000;
  constexpr std::int64_t most_parameter = 4096;
  RunConfig clipped = config;
  for (auto& [name, value] : clipped.parameters) value = std::min(value, most_parameter);
  for (const RunConfig& from : {clipped, config}) {
    for (std::int64_t n = std::min(most_elements, config.n); n < config.n; n *= 8) {
      if (const auto run = with_size(algorithm, from, n)) return *run;
    }
  }
  return config;
}

}  // namespace

std::uint64_t fingerprint_of(const Algorithm& algorithm, const RunConfig& config) {
  SimulationOptions options;
  options.threads = 1;
  options.execution = true;
  const RunConfig run = small_run(algorithm, config);
  const RunResult result = algorithm.simulate(run, options);
  return detail::fnv1a(to_line({run, result.report, result.checksum, 0}));
}

std::uint64_t Fingerprints::operator()(const Algorithm& algorithm, const RunConfig& config) {
  const auto [it, added] = known_.try_emplace(config_to_json(small_run(algorithm, config)));
  if (added) it->second = fingerprint_of(algorithm, config);
  return it->second;
}

const StoredCounts& bundled_counts() {
  static const StoredCounts counts = StoredCounts::of_folder(data_folder() / "data" / "counts");
  return counts;
}

}  // namespace agpusim
