#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/analyze/check_counters.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/records/ncu_csv.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim {
namespace {

struct ImportCountersOptions {
  std::string plan;     ///< written by `measure --profile`
  std::string profile;  ///< printed by ncu during that run
  std::string out;      ///< record file that the counters are added to
  ReportOutput output;
};

/// The launches of one kernel.
struct Launches {
  std::string algorithm;
  std::string kernel;
  std::int64_t launches = 0;
};

/// Says which counters no launch has, and how to profile them. Throws FileError when these are all
/// that are compared.
void check_metrics(const std::vector<CounterRecord>& records, const std::string& profile) {
  std::vector<std::string_view> all = {executed_metric};
  for (const CounterMetric& metric : counter_metrics()) all.push_back(metric.name);
  std::vector<std::string_view> missing;
  for (const std::string_view name : all) {
    if (std::none_of(records.begin(), records.end(), [&](const CounterRecord& record) {
          return record.metrics.count(std::string(name)) > 0;
        })) {
      missing.push_back(name);
    }
  }
  if (missing.empty() || records.empty()) return;
  const std::string text = fmt::format(
      "{}: no launch has {}; profile with\n  ncu --clock-control none --csv --page raw "
      "--print-units base --metrics device__attribute_display_name,{} --log-file ncu.csv agpusim "
      "measure "
      "--profile",
      profile, fmt::join(missing, ", "), fmt::join(all, ","));
  if (missing.size() == all.size()) throw FileError(text);
  message(text);
}

report::Report to_report(const ImportedCounters& imported, const std::string& file) {
  const std::vector<CounterRecord>& records = imported.records;
  using report::Column;
  using report::Format;
  using report::Value;
  std::map<std::pair<std::string, std::string>, std::int64_t> counts;
  for (const CounterRecord& record : records) ++counts[{record.config.algorithm, record.kernel}];
  std::vector<Launches> kernels;
  for (const auto& [of, launches] : counts) kernels.push_back({of.first, of.second, launches});
  const std::vector<Column<Launches>> columns = {
      {{"algorithm", "algorithm"}, [](const Launches& row) { return Value(row.algorithm); }},
      {{"kernel", "kernel"}, [](const Launches& row) { return Value(row.kernel); }},
      {{"launches", "launches", Format::integer},
       [](const Launches& row) { return Value(row.launches); }}};
  report::Report written{"Counters of launches", {}};
  written.body.facts = {{{"file", "file", Format::text}, file},
                        {{"launches", "launches", Format::integer}, records.size(), "added"},
                        {{"left_out", "left out", Format::integer},
                         imported.left_out,
                         "launches of other programs or processes"}};
  written.body.tables = {report::table("kernels", columns, kernels)};
  written.body.tables.front().csv = true;
  return written;
}

/// Turns a profile into counter records, one per launch.
void run_import_counters(const ImportCountersOptions& options) {
  require_outputs({{"--out", options.out}, {"--html", options.output.html}},
                  {options.plan, options.profile});
  const ImportedCounters imported = import_counters(options.plan, options.profile);
  for (const std::string& note : imported.notes) message(note);
  check_metrics(imported.records, options.profile);
  std::vector<std::string> lines;
  for (const CounterRecord& record : imported.records) lines.push_back(to_line(record));
  add_records(options.out, lines);
  put_report(to_report(imported, options.out), options.output);
}

}  // namespace

void setup_import_counters(CLI::App& app) {
  const auto options = std::make_shared<ImportCountersOptions>();
  CLI::App* const command =
      add_command(app, "import-counters", "Turn a Nsight Compute profile into counter records");
  command->add_option("plan", options->plan, "plan file that `agpusim measure --profile` wrote")
      ->required();
  command->add_option("profile", options->profile, "what `ncu --csv --page raw` printed")
      ->required();
  command->add_option("--out", options->out, "record file that the counters are added to")
      ->type_name("FILE.jsonl")
      ->required();
  add_report_options(*command, options->output);
  command->footer(
      "Example, after the `ncu` of `agpusim help measure`:\n"
      "  agpusim import-counters plan.jsonl ncu.csv --out counters.jsonl");
  command->callback([options] { run_import_counters(*options); });
}

}  // namespace agpusim
