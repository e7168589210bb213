#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/report_output.hpp"
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

report::Report to_report(const std::vector<CounterRecord>& records, const std::string& file) {
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
                        {{"launches", "launches", Format::integer}, records.size(), "added"}};
  written.body.tables = {report::table("kernels", columns, kernels)};
  written.body.tables.front().csv = true;
  return written;
}

/// Turns a profile into counter records, one per launch.
void run_import_counters(const ImportCountersOptions& options) {
  require_outputs({{"--out", options.out}, {"--html", options.output.html}},
                  {options.plan, options.profile});
  const std::vector<CounterRecord> records = import_counters(options.plan, options.profile);
  std::vector<std::string> lines;
  for (const CounterRecord& record : records) lines.push_back(to_line(record));
  append_records(options.out, lines);
  put_report(to_report(records, options.out), options.output);
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
  command->callback([options] { run_import_counters(*options); });
}

}  // namespace agpusim
