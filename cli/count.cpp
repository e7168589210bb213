#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/counts/compare_reports.hpp"
#include "agpusim/validation/counts/counts.hpp"
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
  std::string threads = "0";
  std::string max_seconds;
  bool check = false;
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

/// The counts of a run that need no data, and whether they take long enough to be stored.
struct Derivation {
  std::optional<RunReport> report;
  bool is_long = false;
};

/// A derivation runs a few tasks of every phase: 10^4 instructions take it about 2 ms.
Derivation derive(const Algorithm& row, const RunConfig& config) {
  constexpr std::int64_t long_time = 10'000;
  Derivation result{row.derive(config)};
  if (!result.report) return result;
  std::int64_t time = 0;  // of one task of every phase
  for (const PhaseReport& phase : result.report->phases) time += phase.max_task_time;
  result.is_long = time > long_time;
  return result;
}

/// Lines that are not yet in their file.
struct Pending {
  fs::path out;
  std::vector<std::string> lines;
  std::int64_t added = 0;

  void add(const CountRecord& record, CountResult& result) {
    lines.push_back(to_line(record));
    result.added.push_back(record);
    ++added;
  }
  void save() {
    if (lines.empty()) return;
    append_records(out, lines);
    lines.clear();
  }
};

CountResult add_counts(const CountCommand& command, const fs::path& simulated_out,
                       const fs::path& derived_out) {
  StoredCounts stored;
  for (const fs::path& out : {simulated_out, derived_out}) {
    if (fs::exists(out)) stored.read(out);
  }
  const auto start = std::chrono::steady_clock::now();
  const double limit = command.max_seconds.empty()
                           ? std::numeric_limits<double>::infinity()
                           : static_cast<double>(parse_size("--max-seconds", command.max_seconds,
                                                            {.min = 0, .example = "600"}));
  const std::vector<RunConfig> wanted = recorded_runs(command);
  SimulationOptions options;
  options.threads = parse_threads(command.threads);
  options.execution = true;
  Fingerprints fingerprints;
  Progress progress;
  CountResult result{"Counts added", simulated_out, {}, {}};
  if (simulated_out != derived_out) result.file = simulated_out.parent_path();
  Pending simulated{simulated_out, {}};
  Pending long_derived{derived_out, {}};
  std::int64_t known = 0;
  std::int64_t left = 0;
  auto saved = start;
  const auto save = [&] {
    simulated.save();
    long_derived.save();
    saved = std::chrono::steady_clock::now();
  };
  const auto save_when_due = [&] {
    constexpr double seconds_at_risk = 5;
    const std::chrono::duration<double> unsaved = std::chrono::steady_clock::now() - saved;
    if (unsaved.count() <= seconds_at_risk) return;
    save();
    exit_if_interrupted();
  };
  defer_interrupt();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const RunConfig& config = wanted[i];
    const Algorithm& row = find_algorithm(config.algorithm);
    if (const CountRecord* const found = stored.find(config);
        found != nullptr && found->fingerprint == fingerprints(row, config)) {
      ++known;
      continue;
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (elapsed.count() >= limit) {
      ++left;
      continue;
    }
    if (const Derivation derived = derive(row, config); derived.report) {
      if (!derived.is_long) continue;
      long_derived.add({config, *derived.report, {}, fingerprints(row, config)}, result);
      save_when_due();
      continue;
    }
    progress.show(
        fmt::format("{} of {}: {} n={}", i + 1, wanted.size(), config.algorithm, config.n));
    RunResult run = row.simulate(config, options);
    if (!run.correct) {
      throw Mismatch(fmt::format("{} with n = {}: the simulated result differs from the reference",
                                 config.algorithm, config.n));
    }
    simulated.add({config, run.report, run.checksum, fingerprints(row, config)}, result);
    save_when_due();
  }
  save();
  exit_if_interrupted();
  result.facts = {{{"simulated", "simulated", report::Format::integer}, simulated.added},
                  {{"derived", "derived", report::Format::integer}, long_derived.added},
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
  constexpr double affordable = double{std::int64_t{1} << 24};  // lane operations
  Fingerprints fingerprints;
  SimulationOptions options;
  options.threads = parse_threads(command.threads);
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
    if (record.fingerprint != fingerprints(row, record.config))
      stale("a small run costs otherwise");
    if (!record.checksum) {
      const auto report = row.derive(record.config);
      ++derived;
      if (!report) stale("they depend on data");
      const auto differences = compare_reports(*report, record.report, "stored");
      if (!differences.empty()) stale(differences.front());
      continue;
    }
    const double operations =
        static_cast<double>(record.report.total().instructions()) * record.config.spec.block_words;
    if (operations > affordable) continue;
    const RunResult result = row.simulate(record.config, options);
    ++simulated;
    if (result.checksum != record.checksum) stale("the result is another one");
    const auto differences = compare_reports(result.report, record.report, "stored");
    if (!differences.empty()) stale(differences.front());
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
  if (command.out.empty() || !command.records.empty()) {
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
void run_count(const CountCommand& command) {
  const fs::path folder = data_folder() / "data" / "counts";
  const fs::path out = command.out;
  require_output(command.output, command.records);
  if (command.check) exit_on_interrupt();
  put_report(to_report(command.check ? check_counts(command, out.empty() ? folder : out)
                       : out.empty() ? add_counts(command, folder / "simulated.jsonl",
                                                  folder / "derived.jsonl")
                                     : add_counts(command, out, out)),
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
  sub->add_option("--threads", command->threads, "host threads (0: one per core)")
      ->type_name("NUMBER")
      ->capture_default_str();
  sub->add_option("--max-seconds", command->max_seconds, "start no count after so much time")
      ->type_name("SECONDS");
  sub->add_flag("--check", command->check,
                "compare the stored counts with what this agpusim simulates; adds nothing");
  add_report_options(*sub, command->output);
  sub->footer(
      "Examples:\n"
      "  agpusim count my-times.jsonl --out my-counts.jsonl\n"
      "  agpusim count --check");
  sub->callback([command] { run_count(*command); });
}

}  // namespace agpusim
