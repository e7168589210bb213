#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/team.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/analyze/analysis.hpp"
#include "agpusim/commands/analyze/writers.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/device_file.hpp"

namespace agpusim {
namespace {

/// The command line of `agpusim analyze`; an empty text means no filter or the default.
struct AnalyzeOptions : AnalysisOptions {
  Shown shown;
  bool json = false;
  bool csv = false;
  std::string html;  ///< empty: the default name for text output, no report for JSON and CSV
  bool no_html = false;
  bool verify = false;
  TeamOptions team;
};

constexpr const char* default_report = "agpusim-report.html";

AnalysisOptions analysis_options(const AnalyzeOptions& options) {
  AnalysisOptions analysis = options;
  if (options.records.empty()) {
    const bool bundled = options.devices.empty();
    analysis.device = find_device(bundled ? data_folder() / "devices" : options.devices,
                                  options.device.empty() ? "NVIDIA H200" : options.device)
                          .name;
  }
  if (!options.algorithm.empty()) analysis.algorithm = find_algorithm(options.algorithm).name;
  if (analysis.n_min > analysis.n_max) {
    throw UsageError(fmt::format("--n-min {} is larger than --n-max {}", size_text(options.n_min),
                                 size_text(options.n_max)));
  }
  constexpr double affordable = double{std::int64_t{1} << 24};  // a moment
  if (options.verify) analysis.verify_limit = affordable;
  analysis.threads = options.team.threads;
  return analysis;
}

/// Where the HTML report goes; empty: nowhere. Throws as require_outputs does.
std::string page_path(const AnalyzeOptions& options) {
  if (options.no_html) {
    return {};
  }
  const bool text = !options.json && !options.csv;
  const std::string path = options.html.empty() && text ? default_report : options.html;
  require_outputs(
      {{"--html", path, "choose another place with --html FILE or leave it out with --no-html"}},
      {options.records.begin(), options.records.end()});
  return path;
}

Analysis analyze_with_progress(AnalysisOptions options) {
  Progress progress;
  progress.show("counting what the recorded runs take");
  options.progress = [&](std::string_view label, double fraction) {
    progress.show(fmt::format("{:3.0f} % {}", 100 * fraction, label));
  };
  return analyze(catalog(), options);
}

/// The last lines of the text.
std::string read_on(bool rows, const std::string& page) {
  std::string text;
  if (!rows) {
    text +=
        "\nevery run: --rows, or --algorithm NAME; what the columns mean: "
        "docs/reference/analyze.md\n";
  }
  if (!page.empty()) text += fmt::format("report: {}\n", page);
  return text;
}

/// Prints prediction against measurement and writes the HTML report.
void run_analyze(const AnalyzeOptions& options, Team& team) {
  AnalysisOptions wanted = analysis_options(options);
  if (team.has_ranks()) {
    if (!options.verify) {
      throw UsageError("--mpi: the ranks share what --verify simulates; give both, or neither");
    }
    wanted.share = [&](const ranks::Work& work, const ranks::Collector& collector) {
      require_none_given_up(team.share(work, collector), work.order.size());
    };
  }
  const std::string page = team.leads() ? page_path(options) : "";
  exit_on_interrupt();
  const Analysis analysis = analyze_with_progress(wanted);
  if (!page.empty()) {
    defer_interrupt();
    write_html(analysis, page);
    exit_if_interrupted();
  }
  Shown shown = options.shown;
  shown.rows = shown.rows || !options.algorithm.empty();
  const report::Report written = to_report(analysis, shown);
  if (options.json) {
    print(report::to_json(written));
  } else if (options.csv) {
    print(report::to_csv(written));
  } else {
    print(report::to_text(written, output_page(written.width)) + read_on(shown.rows, page));
  }
  if (options.json || options.csv) {
    for (const Unusable& unusable : analysis.unusable) {
      message(fmt::format("{} records cannot be used: {} (first: {})", unusable.records,
                          unusable.reason, unusable.first));
    }
    if (!page.empty()) message(fmt::format("report: {}", page));
  }
  for (const AnalysisGroup& group : analysis.groups) {
    for (const AnalysisRow& row : group.rows) {
      if (row.differences.empty()) continue;
      throw Mismatch(fmt::format("{} with n = {}: {} (`analyze --rows` has them all)",
                                 group.algorithm, row.n(), row.differences.front()));
    }
  }
}

}  // namespace

void setup_analyze(CLI::App& app) {
  const auto options = std::make_shared<AnalyzeOptions>();
  CLI::App* const command = add_command(
      app, "analyze", "Compare predicted with measured times and counters, and write a report");
  command->add_option("records", options->records,
                      "record files or folders (default: the measurements that agpusim carries)");
  command->add_option("--algorithm", options->algorithm, "only this one, with its runs")
      ->type_name("NAME");
  command->add_flag("--rows", options->shown.rows, "print every run");
  command->add_flag("--algorithms", options->shown.algorithms,
                    "print a line for each algorithm and variant, not for each family only");
  command
      ->add_option("--device", options->device,
                   "only this one (default: NVIDIA H200 of what agpusim carries)")
      ->type_name("NAME");
  add_size(*command, "--n-min", options->n_min, "smallest input", {.example = "2^10"})
      ->default_str("");
  add_size(*command, "--n-max", options->n_max, "largest input", {.example = "2^26"})
      ->default_str("");
  CLI::Option* const json = command->add_flag("--json", options->json, "print JSON");
  command->add_flag("--csv", options->csv, "print CSV")->excludes(json);
  CLI::Option* const html =
      command
          ->add_option("--html", options->html,
                       fmt::format("where the report goes (default: {}; none with --json or --csv)",
                                   default_report))
          ->type_name("FILE");
  command->add_flag("--no-html", options->no_html, "write no report")->excludes(html);
  command->add_flag(
      "--verify", options->verify,
      "simulate again what takes a moment, and compare with derived and stored counts");
  command->add_flag("--verify-all", options->verify_all,
                    "also recompute the results of runs that are not simulated");
  command
      ->add_option("--counts", options->counts,
                   "files of `agpusim count --out`, beside the counts that agpusim carries")
      ->type_name("FILE");
  command->add_option("--devices", options->devices, "folder of device files")->type_name("DIR");
  add_team_options(*command, options->team);
  command->footer(
      "Examples:\n"
      "  agpusim analyze\n"
      "  agpusim analyze --algorithm bitonic_sort --n-min 2^16 --csv\n"
      "  agpusim analyze my-times.jsonl --html my-report.html\n"
      "  mpirun -np 9 agpusim analyze --verify --mpi --threads 1");
  command->callback(
      [options] { with_team(options->team, [&](Team& team) { run_analyze(*options, team); }); });
}

}  // namespace agpusim
