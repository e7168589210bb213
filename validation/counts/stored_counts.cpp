#include "agpusim/validation/counts/stored_counts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/io/json_lines.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/run_json.hpp"

namespace agpusim {
namespace {

using detail::Json;

// The order of a line. Every member of a struct, a member of a member as a path to it.

/// Where a number of a Counts is.
struct CountPlace {
  std::int64_t Counts::*member = nullptr;
  GlobalCounts Counts::*global = nullptr;
  std::int64_t GlobalCounts::*of_global = nullptr;
  SharedCounts Counts::*shared = nullptr;
  std::int64_t SharedCounts::*of_shared = nullptr;

  constexpr CountPlace(std::int64_t Counts::*number) : member(number) {}
  constexpr CountPlace(GlobalCounts Counts::*accesses, std::int64_t GlobalCounts::*number)
      : global(accesses), of_global(number) {}
  constexpr CountPlace(SharedCounts Counts::*accesses, std::int64_t SharedCounts::*number)
      : shared(accesses), of_shared(number) {}

  /// The number, const where `counts` is.
  template <class C>
  constexpr auto& of(C& counts) const {
    if (global != nullptr) return counts.*global.*of_global;
    if (shared != nullptr) return counts.*shared.*of_shared;
    return counts.*member;
  }
};

constexpr auto count_places = std::to_array<CountPlace>({
    {&Counts::alu},
    {&Counts::idle},
    {&Counts::global_read, &GlobalCounts::requests},
    {&Counts::global_read, &GlobalCounts::blocks},
    {&Counts::global_read, &GlobalCounts::sectors},
    {&Counts::global_write, &GlobalCounts::requests},
    {&Counts::global_write, &GlobalCounts::blocks},
    {&Counts::global_write, &GlobalCounts::sectors},
    {&Counts::global_atomic, &GlobalCounts::requests},
    {&Counts::global_atomic, &GlobalCounts::blocks},
    {&Counts::global_atomic, &GlobalCounts::sectors},
    {&Counts::shared_read, &SharedCounts::requests},
    {&Counts::shared_read, &SharedCounts::wavefronts},
    {&Counts::shared_read, &SharedCounts::conflicts},
    {&Counts::shared_write, &SharedCounts::requests},
    {&Counts::shared_write, &SharedCounts::wavefronts},
    {&Counts::shared_write, &SharedCounts::conflicts},
    {&Counts::shared_atomic, &SharedCounts::requests},
    {&Counts::shared_atomic, &SharedCounts::wavefronts},
    {&Counts::shared_atomic, &SharedCounts::conflicts},
    {&Counts::rounds},
    {&Counts::serialised},
    {&Counts::active_lanes},
    {&Counts::lane_slots},
});

using CountArray = std::array<std::int64_t, count_places.size()>;

// As many different numbers as there are in the struct are all of them.
static_assert(sizeof(Counts) == sizeof(CountArray));
static_assert([] {
  Counts counts;
  std::int64_t number = 0;
  for (const CountPlace& place : count_places) place.of(counts) = ++number;
  number = 0;
  return std::all_of(count_places.begin(), count_places.end(),
                     [&](const CountPlace& place) { return place.of(counts) == ++number; });
}());

CountArray words_of(const Counts& counts) {
  CountArray words{};
  std::transform(count_places.begin(), count_places.end(), words.begin(),
                 [&](const CountPlace& place) { return place.of(counts); });
  return words;
}

Counts counts_of(const CountArray& words) {
  Counts counts;
  for (std::size_t i = 0; i < words.size(); ++i) count_places[i].of(counts) = words[i];
  return counts;
}

constexpr std::tuple execution_members{
    &Execution::operations,       &Execution::views,        &Execution::guards,
    &Execution::rounds,           &Execution::syncs,        &Execution::misses,
    &Execution::missed_reads,     &Execution::missed_lines, &Execution::scattered_reads,
    &Execution::scattered_writes, &Execution::lone,         &Execution::read_sectors,
    &Execution::written_sectors};

// `counted` is whether there are numbers.
constexpr std::tuple phase_execution_members{&PhaseExecution::longest, &PhaseExecution::live_values,
                                             &PhaseExecution::array_sectors};

/// Calls `visit` for every number of `execution`, in the order of a line.
template <class E, class Visit>
constexpr void for_each_number(E& execution, Visit visit) {
  const auto numbers_of = [&](auto& value) {
    if constexpr (requires { value.begin(); }) {
      for (auto& number : value) visit(number);
    } else {
      visit(value);
    }
  };
  std::apply([&](auto... member) { (numbers_of(execution.total.*member), ...); },
             execution_members);
  std::apply([&](auto... member) { (numbers_of(execution.*member), ...); },
             phase_execution_members);
}

constexpr std::size_t execution_words = [] {
  PhaseExecution execution;
  std::size_t words = 0;
  for_each_number(execution, [&](std::int64_t&) { ++words; });
  return words;
}();

static_assert(execution_words * sizeof(std::int64_t) ==
              sizeof(PhaseExecution) - offsetof(PhaseExecution, total));
static_assert([] {
  PhaseExecution execution;
  std::int64_t number = 0;
  for_each_number(execution, [&](std::int64_t& word) { word = ++number; });
  number = 0;
  bool all = true;
  for_each_number(execution, [&](std::int64_t& word) { all = all && word == ++number; });
  return all;
}());

using ExecutionWords = std::array<std::int64_t, execution_words>;

ExecutionWords words_of(const PhaseExecution& execution) {
  ExecutionWords words{};
  auto out = words.begin();
  for_each_number(execution, [&](std::int64_t number) { *out++ = number; });
  return words;
}

PhaseExecution execution_of(const ExecutionWords& words) {
  PhaseExecution execution;
  execution.counted = true;
  auto in = words.begin();
  for_each_number(execution, [&](std::int64_t& number) { number = *in++; });
  return execution;
}

/// Place and value of every number but zero.
Json encode(const PhaseExecution& execution) {
  Json json = Json::array();
  const ExecutionWords words = words_of(execution);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == 0) continue;
    json.push_back(i);
    json.push_back(words[i]);
  }
  return json;
}

PhaseExecution decode_execution(const Json& json) {
  ExecutionWords words{};
  if (!json.is_array() || json.size() % 2 != 0) throw detail::JsonError("an execution is no list");
  for (std::size_t i = 0; i < json.size(); i += 2) {
    const auto place = json[i].get<std::size_t>();
    if (place >= words.size()) throw detail::JsonError("an execution has too many numbers");
    words[place] = json[i + 1].get<std::int64_t>();
  }
  return execution_of(words);
}

Json encode_phase(const PhaseReport& phase) {
  Json json =
      Json::array({phase.kernel, phase.tasks, phase.shared_words, phase.time, phase.max_task_time,
                   phase.io_max, phase.contention, phase.atomic_blocks, words_of(phase.counts)});
  const bool compiled = phase.width != 0 || phase.registers != 0 || phase.instructions != 0;
  if (phase.execution.counted || compiled) {
    json.push_back(phase.execution.counted ? encode(phase.execution) : Json());
  }
  if (compiled) {
    json.push_back(Json::array({phase.width, phase.registers, phase.instructions}));
  }
  return json;
}

PhaseReport decode_phase(const Json& json) {
  constexpr std::size_t execution = 9;  // and what is known of compiled code; they may be absent
  if (!json.is_array() || json.size() < execution || json.size() > execution + 2 ||
      !json[0].is_string() || json[8].size() != count_places.size() ||
      (json.size() > execution + 1 && json[execution + 1].size() != 3)) {
    throw detail::JsonError(
        "a phase is not a list of kernel, seven numbers, the counts and the execution");
  }
  const auto number = [](const Json& value) {
    if (!value.is_number_integer()) throw detail::JsonError("a count is not an integer");
    return value.get<std::int64_t>();
  };
  PhaseReport phase;
  phase.kernel = json[0].get<std::string>();
  std::size_t i = 0;
  for (std::int64_t* const member :
       {&phase.tasks, &phase.shared_words, &phase.time, &phase.max_task_time, &phase.io_max,
        &phase.contention, &phase.atomic_blocks}) {
    *member = number(json[++i]);
  }
  CountArray counts{};
  std::transform(json[8].begin(), json[8].end(), counts.begin(), number);
  phase.counts = counts_of(counts);
  if (json.size() > execution && !json[execution].is_null()) {
    phase.execution = decode_execution(json[execution]);
  }
  if (json.size() > execution + 1) {
    const Json& compiled = json[execution + 1];
    phase.width = static_cast<std::int32_t>(number(compiled[0]));
    phase.registers = number(compiled[1]);
    phase.instructions = number(compiled[2]);
  }
  return phase;
}

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
    record.report.phases.push_back(decode_phase(phase));
  }
  return record;
}

}  // namespace

std::string to_line(const CountRecord& record) {
  Json phases = Json::array();
  for (const PhaseReport& phase : record.report.phases) phases.push_back(encode_phase(phase));
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

void StoredCounts::read(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(path)) {
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
  } else {
    files.push_back(path);
  }
  for (const auto& file : files) {
    detail::for_each_line(file, [&](const Json& json, const std::string&) { add(decode(json)); });
  }
}

void StoredCounts::add(CountRecord record) {
  std::string key = config_to_json(record.config);
  records_.insert_or_assign(std::move(key), std::move(record));
}

const CountRecord* StoredCounts::find(const RunConfig& config) const {
  const auto it = records_.find(config_to_json(config));
  if (it != records_.end()) return &it->second;
  return beneath_ == nullptr ? nullptr : beneath_->find(config);
}

const CountRecord* StoredCounts::find_smaller(const Algorithm& algorithm,
                                              const RunConfig& config) const {
  const CountRecord* largest =
      beneath_ == nullptr ? nullptr : beneath_->find_smaller(algorithm, config);
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

/// The same run with at most 1000 elements and no parameter above 4096, or as near to it as the row
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
  static const StoredCounts counts = [] {
    StoredCounts all;
    const auto folder = data_folder() / "data" / "counts";
    if (std::filesystem::is_directory(folder)) all.read(folder);
    return all;
  }();
  return counts;
}

}  // namespace agpusim
