#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/cli/team.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/compiled/compiled.hpp"
#include "agpusim/validation/counts/compare_reports.hpp"
#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/io/json_lines.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/record.hpp"
#include "agpusim/validation/report/run_columns.hpp"

namespace agpusim {
namespace {

/// The command line of `agpusim count`.
struct CountCommand {
  std::vector<std::string> records;
  std::string out;
  std::optional<double> max_seconds;  ///< none: no limit
  bool check = false;
  bool compiled = false;  ///< count kernels as nvcc has compiled them
  TeamOptions team;
  ReportOutput output;
};

namespace fs = std::filesystem;

/// What was added to stored counts, or found equal to them.
struct CountResult {
  std::string title;
  fs::path file;
  std::vector<CountRecord> added;
  std::vector<report::Fact> facts;
};

report::Report to_report(const CountResult& result) {
  using report::Format;
  using report::Value;
  std::vector<report::Column<CountRecord>> columns = report::run_columns<CountRecord>();
  columns.push_back({{"machine", "machine"}, [](const CountRecord& record) {
                       return Value(record.config.spec.to_string());
                     }});
  columns.push_back({{"source", "counts"}, [](const CountRecord& record) {
                       return Value(record.checksum ? "simulated" : "derived");
                     }});
  columns.push_back({{"T", "T", Format::integer},
                     [](const CountRecord& record) { return Value(record.report.time()); }});
  columns.push_back({{"Q", "Q", Format::integer},
                     [](const CountRecord& record) { return Value(record.report.total().io()); }});
  report::Table table = report::table("added", columns, result.added);
  table.csv = true;
  table.without_empty_columns = true;
  table.most = 20;
  table.what = "runs";
  report::Report written{result.title, {}};
  written.body.facts = result.facts;
  written.body.facts.insert(written.body.facts.begin(),
                            {{"file", "file", Format::text}, result.file.string()});
  written.body.tables = {std::move(table)};
  return written;
}

/// The recorded runs of rows, each once, the smallest first.
std::vector<RunConfig> recorded_runs(const CountCommand& command) {
  std::vector<fs::path> paths(command.records.begin(), command.records.end());
  if (paths.empty()) paths = record_folders();
  std::map<std::string, RunConfig> configs;
  const RecordFile file = read_all_records(paths);
  for (const auto& record : file.timings) {
    configs.emplace(config_to_json(record.config), record.config);
  }
  for (const auto& record : file.counters) {
    configs.emplace(config_to_json(record.config), record.config);
  }
  std::vector<RunConfig> runs;
  for (auto& [key, config] : configs) {
    if (catalog().find_or_null(config.algorithm) != nullptr) runs.push_back(std::move(config));
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const RunConfig& a, const RunConfig& b) { return a.n < b.n; });
  return runs;
}

// Values of time_of_tasks(): deriving 10^4 takes about 2 ms.
constexpr std::int64_t long_time = 10'000;                       // longer ones are worth storing
constexpr std::int64_t affordable_time = std::int64_t{1} << 16;  // `check` derives no longer one

constexpr const char* known_already = "known";
constexpr const char* soon_derived = "derived";

/// Counts runs. The result of each is a line of stored counts or one of the words above.
ranks::Work counting_work(const std::vector<RunConfig>& runs, const SimulationOptions& options,
                          bool compiled) {
  std::string digest;
  for (const RunConfig& run : runs) digest += config_to_json(run);
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto fingerprints = std::make_shared<Fingerprints>();
  return {
      .digest = detail::to_hex(detail::fnv1a(digest)),
      .order = std::move(order),
      .name =
          [&runs](std::size_t i) { return fmt::format("{} n={}", runs[i].algorithm, runs[i].n); },
      .run = [&runs, options, fingerprints, compiled](std::size_t i,
                                                      const std::string& stored) -> std::string {
        const RunConfig& config = runs[i];
        const Algorithm& row = find_algorithm(config.algorithm);
        const auto fingerprint = [&] {
          return compiled ? digest_of_kernels(row.name) : (*fingerprints)(row, config);
        };
        if (!stored.empty() && stored == detail::to_hex(fingerprint())) return known_already;
        if (compiled) {
          RunReport report{.spec = config.spec,
                           .phases = phases_of_bundled_kernels(row, config, options.threads)};
          return to_line(CountRecord{config, std::move(report), {}, fingerprint()});
        }
        if (const auto derived = row.derive(config)) {
          if (time_of_tasks(*derived) <= long_time) return soon_derived;
          return to_line(CountRecord{config, *derived, {}, fingerprint()});
        }
        const RunResult run = row.simulate(config, options);
        if (!run.correct) {
          throw Mismatch(
              fmt::format("{} with n = {}: the simulated result differs from the reference",
                          config.algorithm, config.n));
        }
        return to_line(CountRecord{config, run.report, run.checksum, fingerprint()});
      }};
}

/// Adds to a file, or to a folder's file of each algorithm.
CountResult add_counts(const CountCommand& command, const fs::path& out, Team& team) {
  const std::vector<RunConfig> wanted = recorded_runs(command);
  SimulationOptions options;
  options.threads = command.team.threads;
  options.execution = true;
  ranks::Work work = counting_work(wanted, options, command.compiled);
  if (team.has_ranks()) std::reverse(work.order.begin(), work.order.end());
  if (!team.leads()) team.share(work, {});

  StoredCounts stored;
  if (fs::exists(out)) stored.read(out);
  const auto start = std::chrono::steady_clock::now();
  const double limit = command.max_seconds.value_or(std::numeric_limits<double>::infinity());
  Progress progress;
  CountResult result{"Counts added", out, {}, {}};
  std::map<fs::path, std::vector<std::string>> pending;  // lines that are not yet in their file
  std::map<std::size_t, CountRecord> added;              // by run
  std::int64_t known = 0;
  std::int64_t done = 0;
  auto saved = start;
  const auto save = [&] {
    for (const auto& [file, lines] : pending) add_records(file, lines);
    pending.clear();
    saved = std::chrono::steady_clock::now();
  };
  const auto seconds_since = [](std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
  };
  const auto take = [&](std::size_t i, const std::string& line) {
    ++done;
    if (line == known_already) ++known;
    if (line == known_already || line == soon_derived) return;
    const CountRecord& record = added.emplace(i, count_record(line)).first->second;
    pending[command.out.empty() ? out / (record.config.algorithm + ".jsonl") : out].push_back(line);
    constexpr double seconds_at_risk = 5;
    if (seconds_since(saved) > seconds_at_risk) save();
  };
  defer_interrupt();
  std::vector<std::string> given_up;
  try {
    given_up = team.share(
        work,
        {.known =
             [&](std::size_t i) {
               const CountRecord* const record = stored.find(wanted[i]);
               return record == nullptr ? "" : detail::to_hex(record->fingerprint);
             },
         .begin =
             [&](std::size_t i) {
               progress.show(fmt::format("{} of {}: {}", done + 1, wanted.size(), work.name(i)));
             },
         .take = take,
         .stop = interrupted,
         .enough = [&] { return seconds_since(start) >= limit; },
         .save = save});
  } catch (...) {
    save();
    throw;
  }
  save();
  team.exit_if_interrupted();
  require_none_given_up(given_up, wanted.size());
  for (auto& [run, record] : added) result.added.push_back(std::move(record));
  const auto simulated = std::count_if(result.added.begin(), result.added.end(),
                                       [](const auto& record) { return record.checksum; });
  const auto left = static_cast<std::int64_t>(wanted.size()) - done;
  result.facts = {{{"simulated", "simulated", report::Format::integer}, simulated},
                  {{"derived", "derived", report::Format::integer},
                   static_cast<std::int64_t>(result.added.size()) - simulated},
                  {{"known", "known", report::Format::integer}, known, "already"},
                  {{"left", "left over", report::Format::integer}, left}};
  return result;
}

/// How many of these runs have neither stored counts nor such as can be derived.
std::int64_t uncounted(const std::vector<RunConfig>& runs, const StoredCounts& stored) {
  return std::count_if(runs.begin(), runs.end(), [&](const RunConfig& config) {
    return stored.find(config) == nullptr && !find_algorithm(config.algorithm).derive(config);
  });
}

CountResult check_counts(const CountCommand& command, const fs::path& path) {
  StoredCounts stored;
  stored.read(path);
  constexpr double affordable = double{std::int64_t{1} << 21};  // lane operations
  constexpr double affordable_compiled = affordable / 4;
  Fingerprints fingerprints;
  SimulationOptions options;
  options.threads = command.team.threads;
  options.execution = true;
  std::int64_t simulated = 0;
  std::int64_t derived = 0;
  for (const auto& [key, record] : stored.all()) {
    const Algorithm& row = find_algorithm(record.config.algorithm);
    const auto stale = [&, &record = record](const std::string& what) {
      throw Mismatch(
          fmt::format("{}: the counts of {} with n = {} are stale: {}; run `agpusim "
                      "count` again",
                      path.string(), record.config.algorithm, record.config.n, what));
    };
    const auto require_equal = [&, &record = record](const RunReport& report) {
      const CountDifferences differences = compare_reports(report, record.report, "stored");
      for (const auto* const all : {&differences.wrong, &differences.near}) {
        if (!all->empty()) stale(all->front());
      }
    };
    const double operations = lane_operations(record.report);
    if (command.compiled) {
      if (record.fingerprint != digest_of_kernels(row.name)) stale("its PTX is another one");
      if (operations > affordable_compiled) continue;
      RunReport again = record.report;
      again.phases = phases_of_bundled_kernels(row, record.config);
      ++simulated;
      require_equal(again);
      continue;
    }
    if (record.fingerprint != fingerprints(row, record.config))
      stale("a small run costs otherwise");
    if (!record.checksum) {
      if (time_of_tasks(record.report) > affordable_time) continue;
      const auto report = row.derive(record.config);
      ++derived;
      if (!report) stale("they depend on data");
      require_equal(*report);
      continue;
    }
    if (operations > affordable) continue;
    const RunResult result = row.simulate(record.config, options);
    ++simulated;
    if (result.checksum != record.checksum) stale("the result is another one");
    require_equal(result.report);
  }
  CountResult result{
      "Stored counts are those of this agpusim",
      path,
      {},
      {{{"stored", "stored", report::Format::integer},
        stored.all().size(),
        "none of whose small runs costs otherwise"},
       {{"simulated", "simulated", report::Format::integer}, simulated, "again and equal"},
       {{"derived", "derived", report::Format::integer}, derived, "again and equal"}}};
  if (!command.compiled && (command.out.empty() || !command.records.empty())) {
    const std::vector<RunConfig> runs = recorded_runs(command);
    result.facts.push_back(
        {{"recorded", "recorded", report::Format::integer}, runs.size(), "runs"});
    result.facts.push_back({{"uncounted", "uncounted", report::Format::integer},
                            uncounted(runs, stored),
                            "of these: not stored, and they depend on data"});
  }
  return result;
}

/// Simulates the runs of record files whose counts cannot be derived and adds them to a file of
/// stored counts; goes on where it was interrupted. With `check`, compares stored counts with what
/// this agpusim simulates, throws Mismatch when one is stale, and says how many runs have none.
void run_count(const CountCommand& command, Team& team) {
  const fs::path out = command.out.empty()
                           ? data_folder() / "data" / (command.compiled ? "compiled" : "counts")
                           : fs::path(command.out);
  if (command.check && team.has_ranks()) {
    throw UsageError("--check and --mpi: stored counts are checked by one process; leave one out");
  }
  if (team.leads()) require_output(command.output, command.records);
  if (command.check) exit_on_interrupt();
  put_report(to_report(command.check ? check_counts(command, out) : add_counts(command, out, team)),
             command.output);
}

}  // namespace

void setup_count(CLI::App& app) {
  const auto command = std::make_shared<CountCommand>();
  CLI::App* const sub = add_command(
      app, "count",
      "Count recorded runs that are to be simulated or take long to derive, and store it");
  sub->add_option("records", command->records,
                  "record files or folders (default: the measurements that agpusim carries)");
  sub->add_option("--out", command->out,
                  "file of stored counts to add to (default: those which agpusim carries)")
      ->type_name("FILE");
  add_max_seconds(*sub, command->max_seconds, "start no count after so much time")
      ->type_name("SECONDS");
  sub->add_flag("--check", command->check,
                "compare the stored counts with what this agpusim simulates; adds nothing");
  sub->add_flag("--compiled", command->compiled,
                "count the kernels as nvcc has compiled them, from which times are predicted");
  add_team_options(*sub, command->team);
  add_report_options(*sub, command->output);
  sub->footer(
      "Examples:\n"
      "  agpusim count my-times.jsonl --out my-counts.jsonl\n"
      "  mpirun -np 9 agpusim count my-times.jsonl --out my-counts.jsonl --mpi --threads 1\n"
      "  agpusim count --check");
  sub->callback(
      [command] { with_team(command->team, [&](Team& team) { run_count(*command, team); }); });
}

}  // namespace agpusim
