#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/validation/records/ncu_csv.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim {
namespace {

struct ImportCountersOptions {
  std::string plan;  ///< written by `measure --profile`
  std::string csv;   ///< printed by ncu during that run
  std::string out;   ///< record file that the counters are added to
};

/// Turns a profile into counter records, one per launch.
void run_import_counters(const ImportCountersOptions& options) {
  require_outputs({{"--out", options.out}}, {options.plan, options.csv});
  std::vector<std::string> lines;
  for (const CounterRecord& record : import_counters(options.plan, options.csv)) {
    lines.push_back(to_line(record));
  }
  append_records(options.out, lines);
  print(fmt::format("{} launches added to {}\n", lines.size(), options.out));
}

}  // namespace

void setup_import_counters(CLI::App& app) {
  const auto options = std::make_shared<ImportCountersOptions>();
  CLI::App* const command =
      add_command(app, "import-counters", "Turn a Nsight Compute profile into counter records");
  command->add_option("plan", options->plan, "plan file that `agpusim measure --profile` wrote")
      ->required();
  command->add_option("csv", options->csv, "what `ncu --csv --page raw` printed")->required();
  command->add_option("--out", options->out, "record file that the counters are added to")
      ->type_name("FILE.jsonl")
      ->required();
  command->callback([options] { run_import_counters(*options); });
}

}  // namespace agpusim
