#include "agpusim/validation/counts/counts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/counts/count_fields.hpp"
#include "agpusim/validation/records/config_json.hpp"

namespace agpusim {
namespace {

Counted simulate(const Algorithm& algorithm, const RunConfig& config, const CountOptions& options) {
  if (options.require_memory) options.require_memory(config);
  SimulationOptions simulation;
  simulation.threads = options.threads;
  simulation.execution = true;
  simulation.progress = options.progress;
  RunResult result = algorithm.simulate(config, simulation);
  if (!result.correct) {
    throw Mismatch(fmt::format("{} with n = {} on {}: {}", config.algorithm, config.n,
                               config.spec.to_string(), wrong_result(result.differences)));
  }
  return {std::move(result.report), CountSource::simulated, result.checksum, {}};
}

std::int64_t scaled(std::int64_t count, double factor) {
  return static_cast<std::int64_t>(std::llround(static_cast<double>(count) * factor));
}

/// The execution of `from` with `time` times the tasks and instructions, its arrays `io` times as
/// large.
PhaseExecution scaled(PhaseExecution from, double time, double io) {
  Execution& total = from.total;
  for (std::int64_t* const count : {&total.views, &total.guards, &total.rounds, &total.syncs,
                                    &total.misses, &total.missed_reads, &total.missed_lines,
                                    &total.scattered_reads, &total.scattered_writes}) {
    *count = scaled(*count, time);
  }
  const auto each = [](auto& values, double by) {
    for (std::int64_t& value : values) value = scaled(value, by);
  };
  each(total.operations, time);
  each(total.lone, time);
  each(total.read_sectors, time);
  each(total.written_sectors, time);
  each(from.array_sectors, io);
  return from;
}

/// What grows with the work times `time`, what is moved in global memory times `io`: where a larger
/// run has more phases.
RunReport scale(RunReport report, double time, double io) {
  for (PhaseReport& phase : report.phases) {
    phase.tasks = std::max<std::int64_t>(1, scaled(phase.tasks, time));
    Counts& c = phase.counts;
    for (std::int64_t* const count :
         {&c.alu, &c.idle, &c.rounds, &c.serialised, &c.active_lanes, &c.lane_slots, &phase.time,
          &phase.contention, &phase.instructions}) {
      *count = scaled(*count, time);
    }
    for (SharedCounts* const s : {&c.shared_read, &c.shared_write, &c.shared_atomic}) {
      *s = {scaled(s->requests, time), scaled(s->wavefronts, time), scaled(s->conflicts, time)};
    }
    for (GlobalCounts* const g : {&c.global_read, &c.global_write, &c.global_atomic}) {
      *g = {scaled(g->requests, io), scaled(g->blocks, io), scaled(g->sectors, io)};
    }
    phase.execution = scaled(phase.execution, time, io);
    phase.io_max = scaled(phase.io_max, io);
    phase.atomic_blocks = scaled(phase.atomic_blocks, io);
  }
  report.time_total_max = scaled(report.time_total_max, time);
  return report;
}

/// A count on the power law through two smaller runs: `more` of the larger of them, which is one
/// step behind the other, `steps` steps on.
std::int64_t continued(std::int64_t less, std::int64_t more, double steps) {
  if (less == more || less <= 0 || more <= 0) return more;
  const double growth = static_cast<double>(more) / static_cast<double>(less);
  return std::llround(static_cast<double>(more) * std::pow(growth, steps));
}

/// Every count of a phase, in the same order for every phase.
std::vector<std::int64_t*> counts_of(PhaseReport& phase) {
  std::vector<std::int64_t*> all = {&phase.tasks,         &phase.shared_words,  &phase.time,
                                    &phase.io_max,        &phase.max_task_time, &phase.contention,
                                    &phase.atomic_blocks, &phase.instructions};
  for (const detail::CountField& field : detail::count_fields)
    all.push_back(&field.of(phase.counts));
  detail::for_each_number(phase.execution,
                          [&](const auto&, std::int64_t& number) { all.push_back(&number); });
  return all;
}

/// The counts of `config` from a smaller run and, unless it is null, a still smaller one.
Counted extrapolate(const Algorithm& algorithm, const RunConfig& config, const CountRecord& larger,
                    const CountRecord* smaller) {
  RunReport report = larger.report;
  const auto extrapolated = [&] {
    return Counted{std::move(report), CountSource::extrapolated, {}, {}, larger.config.n};
  };
  if (smaller == nullptr || smaller->report.phases.size() != report.phases.size()) {
    const auto growth = [&](const Bound& bound) {
      return bound.value ? bound.value(config) / bound.value(larger.config) : 1;
    };
    report = scale(std::move(report), growth(time_bound(algorithm, config)),
                   growth(io_bound(algorithm, config)));
    return extrapolated();
  }
  RunReport before = smaller->report;
  const auto log_ratio = [](const RunConfig& a, const RunConfig& b) {
    return std::log(static_cast<double>(a.n) / static_cast<double>(b.n));
  };
  const double steps = log_ratio(config, larger.config) / log_ratio(larger.config, smaller->config);
  for (std::size_t i = 0; i < report.phases.size(); ++i) {
    const auto now = counts_of(report.phases[i]);
    const auto then = counts_of(before.phases[i]);
    for (std::size_t c = 0; c < now.size(); ++c) *now[c] = continued(*then[c], *now[c], steps);
  }
  report.time_total_max = continued(before.time_total_max, report.time_total_max, steps);
  report.global_words_peak = continued(before.global_words_peak, report.global_words_peak, steps);
  return extrapolated();
}

/// What is known of the runs that differ in n and seed alone.
struct Held {
  std::int64_t n = -1;  ///< largest that was asked for
  bool enough = false;  ///< a larger n needs no more simulations
  std::string wrong;    ///< empty: nothing
};

void hold(Held& held, const Algorithm& row, const RunConfig& config, const RunReport& asked) {
  constexpr double most = 1 << 22;  // lane operations; of the smallest legal run:
  constexpr double most_of_smallest = 1 << 28;
  bool simulated = false;
  for (auto halvings = std::bit_width(static_cast<std::uint64_t>(config.n)); halvings-- > 0;) {
    const auto run = with_size(row, config, config.n >> halvings);
    if (!run) continue;
    try {
      const auto derived = row.derive(*run);
      if (!derived) continue;
      const double operations = lane_operations(*derived);
      held.enough = simulated && operations > most;
      if (held.enough || operations > most_of_smallest) break;
      const auto differences =
          compare_reports(row.simulate(*run, {.threads = 1}).report, *derived, "derived");
      simulated = true;
      held.enough = derived->phases.size() == asked.phases.size() &&
                    std::all_of(derived->phases.begin(), derived->phases.end(),
                                [](const PhaseReport& phase) { return phase.tasks >= 12; });
      if (!differences.wrong.empty()) {
        held.wrong = fmt::format("{} with n = {}: {}; {}", row.name, run->n, differences.fault(),
                                 remedy_of_derived);
      }
      if (held.enough || !held.wrong.empty()) break;
    } catch (const Error&) {
      // The program does not take this n, though its row does not refuse it.
    }
  }
  held.n = config.n;
}

}  // namespace

Algorithm with_checked_claims(Algorithm row) {
  row.derive = [unchecked = row, all = std::make_shared<std::map<std::string, Held>>(),
                mutex = std::make_shared<std::mutex>()](const RunConfig& config) {
    auto derived = unchecked.derive(config);
    if (!derived) return derived;
    RunConfig shape = config;
    shape.n = 0;
    shape.seed = 0;
    const std::scoped_lock lock(*mutex);
    Held& held = (*all)[config_to_json(shape)];
    if (!held.enough && config.n > held.n) hold(held, unchecked, config, *derived);
    if (!held.wrong.empty()) throw Mismatch(held.wrong);
    return derived;
  };
  return row;
}

std::int64_t time_of_tasks(const RunReport& report) {
  std::int64_t time = 0;
  for (const PhaseReport& phase : report.phases) time += phase.max_task_time;
  return time;
}

double lane_operations(const RunReport& report) {
  return static_cast<double>(report.total().instructions()) * report.spec.block_words;
}

double estimated_lane_operations(const Algorithm& algorithm, const RunConfig& config) {
  constexpr std::int64_t small = 1 << 10;
  constexpr std::int64_t factor = 4;
  std::vector<std::pair<RunConfig, double>> known;  // and its lane operations
  SimulationOptions options;
  options.checks = false;
  for (std::int64_t n = small; known.size() < 2; n *= factor) {
    if (const auto run = scaled_down(algorithm, config, n)) {
      known.emplace_back(*run, lane_operations(algorithm.simulate(*run, options).report));
    }
    if (n >= config.n) break;
  }
  if (known.empty()) return std::numeric_limits<double>::infinity();
  const auto& [larger, most] = known.back();
  const auto& [smaller, least] = known.front();
  double growth = 1;
  if (known.size() == 2 && least > 0) {
    const auto ratio = [](const RunConfig& a, const RunConfig& b) {
      return static_cast<double>(a.n) / static_cast<double>(b.n);
    };
    const double power = std::log(most / least) / std::log(ratio(larger, smaller));
    growth = std::pow(ratio(config, larger), std::max(power, 1.0));
  }
  const Bound& time = time_bound(algorithm, config);
  return most * (time.value ? std::max(growth, time.value(config) / time.value(larger)) : growth);
}

const char* to_string(CountSource source) {
  switch (source) {
    case CountSource::derived:
      return "derived";
    case CountSource::stored:
      return "stored";
    case CountSource::simulated:
      return "simulated";
    case CountSource::extrapolated:
      return "extrapolated";
  }
  return "";
}

std::string to_text(const RunConfig& config, const Counted& counted) {
  std::string text = fmt::format("{} {}\n{}", static_cast<int>(counted.source), counted.from_n,
                                 to_line(CountRecord{config, counted.report, counted.checksum, 0}));
  for (const std::string& wrong : counted.differences.wrong) text += "\n" + wrong;
  for (const std::string& near : counted.differences.near) text += "\n~" + near;
  return text;
}

Counted counted_from(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  Counted counted;
  std::istringstream numbers(line);
  int source = 0;
  numbers >> source >> counted.from_n;
  counted.source = static_cast<CountSource>(source);
  std::getline(lines, line);
  CountRecord record = count_record(line);
  counted.report = std::move(record.report);
  counted.checksum = record.checksum;
  while (std::getline(lines, line)) {
    const bool near = line.starts_with('~');
    (near ? counted.differences.near : counted.differences.wrong).push_back(line.substr(near));
  }
  return counted;
}

std::optional<RunConfig> with_size(const Algorithm& algorithm, const RunConfig& config,
                                   std::int64_t n) {
  RunConfig smaller = config;
  smaller.n = n;
  for (const Parameter& parameter : algorithm.parameters) {
    const auto it = smaller.parameters.find(parameter.name);
    if (it != smaller.parameters.end() && it->second == parameter.default_value(config)) {
      smaller.parameters.erase(it);
    }
  }
  try {
    return resolve(algorithm, smaller);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

std::optional<RunConfig> scaled_down(const Algorithm& algorithm, const RunConfig& config,
                                     std::int64_t n) {
  auto run = with_size(algorithm, config, std::min(n, config.n));
  if (!run) return std::nullopt;
  RunConfig clipped = *run;
  for (auto& [name, value] : clipped.parameters) {
    value = std::min(value, std::max<std::int64_t>(n, 1 << 16));
  }
  try {
    return resolve(algorithm, clipped);
  } catch (const UsageError&) {
    return run;
  }
}

std::optional<Counted> exact_counts(const Algorithm& algorithm, const RunConfig& config,
                                    const StoredCounts* stored) {
  if (stored != nullptr) {
    if (const CountRecord* const record = stored->find(config)) {
      return Counted{record->report, CountSource::stored, record->checksum, {}};
    }
  }
  if (auto derived = algorithm.derive(config)) {
    require_addresses(config.spec, derived->global_words_peak, algorithm.name);
    return Counted{*std::move(derived), CountSource::derived, {}, {}};
  }
  return std::nullopt;
}

Counted count(const Algorithm& algorithm, const RunConfig& config, const CountOptions& options) {
  auto known = exact_counts(algorithm, config, options.stored);
  if (known && !options.verify) return *std::move(known);
  const auto not_known = [&] {
    return UsageError("its counts are not stored and depend on data: agpusim count");
  };
  if (!known && !options.extrapolate && options.simulate_limit <= 0) throw not_known();

  const double operations = known                ? lane_operations(known->report)
                            : options.operations ? *options.operations
                                                 : estimated_lane_operations(algorithm, config);
  if (operations <= options.simulate_limit) {
    Counted result = simulate(algorithm, config, options);
    if (known) {
      result.differences = compare_reports(result.report, known->report, to_string(known->source));
    }
    return result;
  }
  if (known) return *std::move(known);
  if (!options.extrapolate) throw not_known();
  const bool grows = time_bound(algorithm, config).value && io_bound(algorithm, config).value;
  if (grows && options.stored != nullptr) {
    if (const CountRecord* const larger = options.stored->find_smaller(algorithm, config)) {
      return extrapolate(algorithm, config, *larger,
                         options.stored->find_smaller(algorithm, larger->config));
    }
  }
  const auto simulated = [&](const RunConfig& run) {
    return CountRecord{run, simulate(algorithm, run, options).report, {}, 0};
  };
  for (std::int64_t n = config.n / 2; n > 0 && grows; n /= 2) {
    const auto larger = with_size(algorithm, config, n);
    if (!larger || estimated_lane_operations(algorithm, *larger) > options.simulate_limit) continue;
    const auto smaller = with_size(algorithm, config, n / 2);
    if (!smaller) return extrapolate(algorithm, config, simulated(*larger), nullptr);
    const CountRecord before = simulated(*smaller);
    return extrapolate(algorithm, config, simulated(*larger), &before);
  }
  throw UsageError(fmt::format(
      "the counts of {} with n = {} depend on its input, which is too large to simulate, and no "
      "smaller run can be extrapolated; a kernel whose cost does not depend on data says so with "
      "`oblivious`, and with a task_class() where tasks differ",
      config.algorithm, config.n));
}

}  // namespace agpusim
