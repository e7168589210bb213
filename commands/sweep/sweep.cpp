#include "agpusim/commands/sweep/sweep.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/host_memory.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/sweep/row_file.hpp"
#include "agpusim/commands/sweep/sweep_row_keeper.hpp"
#include "agpusim/commands/sweep/to_report.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/exec/results.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/rows/faults.hpp"

namespace agpusim {
namespace {

void add_sweep_output(CLI::App& command, SweepOutput& output) {
  command.add_flag("--fit", output.fit,
                   "find the law of every count and time, judged on the largest sizes");
  command.add_flag("--laws", output.laws, "the same, and print a line for each law and no points");
  add_report_options(command, output.report, true);
}

void write_sweep(sweep::Result result, const SweepOutput& output) {
  if (output.fit || output.laws) result.fits = sweep::fit_rows(result.rows);
  put_report(sweep::to_report(result, output.laws), output.report);
}

std::string ends_text(const std::vector<Row>& points) {
  std::map<std::string, std::int64_t> sources;
  for (const Row& point : points) {
    ++sources[point.refusal.empty() ? point.source : "refused"];
  }
  std::string text;
  for (const auto& [source, count] : sources) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, source);
  }
  return fmt::format("{} points: {}", points.size(), text);
}

/// Says in the notes what is wrong with points, and of what the derived counts are not exact.
Faults note_faults(sweep::Result& result) {
  Faults faults;
  for (const Row& row : result.rows) {
    faults.add(row);
    std::vector<std::string> sentences = faults_of(row);
    if (row.counted) sentences.push_back(row.counted->differences.remark());
    for (const std::string& sentence : sentences) {
      if (!sentence.empty()) result.notes.push_back(name_of(row.run) + ": " + sentence);
    }
  }
  return faults;
}

/// Whether Q is the same whatever the number of cores, where the parameters are.
std::vector<std::string> cores_notes(const std::vector<Row>& points) {
  const sweep::CoresCheck check = sweep::check_cores(points);
  std::vector<std::string> notes = {
      fmt::format("Q is equal for every p in {} of {} groups of points that differ in p alone",
                  check.equal, check.groups)};
  notes.insert(notes.end(), check.differences.begin(), check.differences.end());
  return notes;
}

/// The parameters that a program has by default on the machine with most cores, for all machines
/// that have its b, M, w and V: what is left to differ is who runs the tasks.
void give_same_parameters(std::vector<Run>& runs) {
  const auto key = [](const RunConfig& config) {
    return fmt::format("{} {} {} {} {} {} {}", config.algorithm, config.variant, config.n,
                       config.spec.block_words, config.spec.shared_words, config.spec.word_bits,
                       config.spec.width);
  };
  std::map<std::string, const RunConfig*> most;
  for (const Run& run : runs) {
    if (run.on_pram() || !run.refusal.empty()) continue;
    const RunConfig*& best = most[run.program + key(run.config)];
    if (best == nullptr || best->spec.cores < run.config.spec.cores) best = &run.config;
  }
  std::vector<std::map<std::string, std::int64_t>> parameters;
  for (const Run& run : runs) {
    const auto it = most.find(run.program + key(run.config));
    parameters.push_back(it == most.end() ? run.config.parameters : it->second->parameters);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Run& run = runs[i];
    if (run.on_pram() || !run.refusal.empty()) continue;
    run.config.parameters = parameters[i];
    run = resolved(run);
  }
}

/// Every run of the selection, in an order that depends on nothing else: programs on AGPU first.
/// Throws UsageError when no program on AGPU, or on a PRAM, can run.
std::vector<Run> sweep_runs(const Selection& selection, bool same_program) {
  std::vector<Run> runs = runs_of(catalog(), selection);
  if (same_program) give_same_parameters(runs);
  const auto prams = std::stable_partition(runs.begin(), runs.end(),
                                           [](const Run& run) { return !run.on_pram(); });
  // A type or an input that no program has is a wrong word, not a point that is left out.
  for (const auto& [first, last] : {std::pair{runs.begin(), prams}, std::pair{prams, runs.end()}}) {
    if (first != last &&
        std::all_of(first, last, [](const Run& run) { return !run.refusal.empty(); })) {
      throw UsageError(first->program + ": " + first->refusal);
    }
  }
  return runs;
}

/// Programs with each choice of the parameters that are lists.
Selection selection_of_axes(SweepOptions options) {
  std::vector<Settings> choices = {options.set};
  for (const auto& [name, values] : options.axes) {
    std::vector<Settings> longer;
    for (Settings choice : choices) {
      for (const std::int64_t value : values) {
        choice[name] = value;
        longer.push_back(choice);
      }
    }
    choices = std::move(longer);
  }
  Selection all;
  for (const Settings& choice : choices) {
    options.set = choice;
    Selection one = selection_of(options, {}, true);
    if (all.contestants.empty()) {
      all = std::move(one);
      continue;
    }
    for (contest::Contestant& program : one.contestants) {
      const auto same = [&](const contest::Contestant& other) {
        return other.label == program.label && other.parameters == program.parameters;
      };
      if (std::ranges::none_of(all.contestants, same)) all.contestants.push_back(program);
    }
  }
  return all;
}

/// "d=8" or the axis "d=2..32".
void set_or_axis(SweepOptions& options, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string list = text.substr(std::min(equals, text.size() - 1) + 1);
  if (equals == 0 ||
      (list.find(',') == std::string::npos && list.find("..") == std::string::npos)) {
    const auto [name, value] = parse_assignment(text);
    options.set[name] = value;
    return;
  }
  const std::string name = text.substr(0, equals);
  options.axes[name] = parse_sizes("--set " + name, list, {.min = 0, .example = "2..32"});
}

void run_sweep(SweepOptions options, Team& team) {
  if (team.has_ranks() && options.shard) {
    throw UsageError("--mpi and --shard: the ranks of --mpi share all points; leave one out");
  }
  const Selection selection = selection_of_axes(options);
  const std::vector<Run> all = sweep_runs(selection, options.same_program);
  Sources sources;
  sources.counting.simulate_limit = static_cast<double>(options.simulate_limit);
  sources.counting.verify = options.verify;
  sources.counting.threads = options.team.threads;
  sources.counting.require_memory = require_host_memory;
  if (team.leads()) {
    if (options.shard && options.shard->of_job) {
      options.out = file_of_shard(options.out, *options.shard);
    }
    require_outputs({{"--out", options.out},
                     {"--html", options.output.report.html},
                     {"--svg", options.output.report.svg}});
  }
  if (exec::is_result(options.out)) {
    throw FileError(options.out + ": a result of `agpusim exec`: name another file");
  }
  const std::vector<Run> runs = shard_of(all, options.shard);
  const sweep::Whole whole = sweep::whole_of(all);
  sweep::Result result;
  std::vector<std::string> given_up;
  std::optional<Mismatch> wrong;  // ends the sweep; what was counted before it is printed
  std::optional<IoError> unsaved;
  {
    RowKeeper keeper(team.leads() ? options.out : "", whole);
    Progress progress;
    std::size_t done = 0;
    sources.kept = &keeper.rows();
    Schedule schedule;
    schedule.threads = sources.counting.threads;
    schedule.done = [&](Row& row) {
      progress.show(fmt::format("{} of {}: {} n = {}", ++done, runs.size(), row.run.program,
                                size_text(row.n())));
      if (row.counted) row.counted->report = {};  // a thousand reports would fill memory
      row.compiled.clear();
      if (!row.counted || row.counted->differences.wrong.empty()) keeper.add(row);
      result.rows.push_back(row);
    };
    schedule.stop = interrupted;
    if (team.has_ranks()) {
      schedule.save = [&] { keeper.save(); };
      schedule.share = [&](const ranks::Work& work, const ranks::Collector& collector) {
        given_up = team.share(work, collector);
      };
    }
    if (team.leads()) defer_interrupt();
    try {
      static_cast<void>(evaluate(runs, sources, schedule));
    } catch (const Mismatch& error) {
      if (team.has_ranks()) throw;
      wrong = error;
    }
    sweep::sort_rows(result.rows);
    keeper.save();
    unsaved = keeper.failure();
  }
  if (!unsaved) team.exit_if_interrupted();
  if (wrong && result.rows.empty()) throw *wrong;
  result.notes.push_back(ends_text(result.rows));
  if (options.shard) {
    result.notes.push_back(
        fmt::format("shard {} of a sweep of {} points", options.shard->text(), whole.points));
  }
  for (const std::string& run : given_up) {
    result.notes.push_back(fmt::format("given up, three ranks died with it: {}", run));
  }
  if (options.same_program) {
    for (std::string& note : cores_notes(result.rows)) result.notes.push_back(std::move(note));
  }
  const Faults faults = note_faults(result);
  defer_interrupt();
  write_sweep(std::move(result), options.output);
  team.exit_if_interrupted();
  require_none_given_up(given_up, runs.size());
  if (wrong) throw *wrong;
  if (unsaved) throw *unsaved;
  faults.require_none();
}

}  // namespace

void setup_sweep(CLI::App& app) {
  const auto options = std::make_shared<SweepOptions>();
  CLI::App* const command = add_command(
      app, "sweep", "Counts, bounds and predicted times over sizes and machines, and their laws");
  command
      ->add_option(
          "programs", options->programs,
          "NAME[:VARIANT][,PARAMETER=VALUE...] of `agpusim list`, pram/NAME... of `agpusim "
          "pram`; NAME:all, all or pram/all for every variant")
      ->required()
      ->type_name("ALG");
  add_sizes(*command, "-n,--n", options->n,
            "elements of the input: a list of sizes and ranges (see `agpusim help sizes`)",
            {.min = 0, .example = "2^10..2^26"});
  add_machine_options(*command, options->machine, all_of_machine);
  command->add_option("--type", options->type, "element type (default: the first of each row)")
      ->type_name("NAME");
  command->add_option("--input", options->input, "kind of input (default: the first of each row)")
      ->type_name("NAME");
  add_seed(*command, options->seed, "seed of the input");
  add_texts(*command, "--set",
            "parameter of every program that has it, a value or a list; may be repeated",
            [options](const std::string& /*name*/, const std::vector<std::string>& texts) {
              for (const std::string& text : texts) set_or_axis(*options, text);
            })
      ->type_name("NAME=VALUES");
  command->add_flag("--same-program", options->same_program,
                    "parameters by default are those of the largest p, on every p");
  command->add_flag("--verify", options->verify,
                    "simulate what is affordable though it is known, and compare");
  add_size(*command, "--simulate-limit", options->simulate_limit,
           "most lane operations of a simulation; larger runs are extrapolated",
           {.min = 0, .example = "2^28"});
  command
      ->add_option("--device", options->device.device,
                   "whose constants predict (default: the machine's)")
      ->type_name("NAME");
  command->add_option("--devices", options->device.devices, "folder of device files")
      ->type_name("DIR");
  add_text(*command, "--shard",
           "count only every N-th point, from the I-th on; job: those of this process of a Slurm "
           "job array, mpirun or srun, in a FILE of its own",
           [options](const std::string& /*name*/, const std::string& text) {
             options->shard = parse_shard(text);
           })
      ->type_name("I/N");
  add_team_options(*command, options->team);
  command
      ->add_option("--out", options->out,
                   "keep the points in this file; points that it has are not simulated again")
      ->type_name("FILE");
  add_sweep_output(*command, options->output);
  command->footer(
      "--machine, --p, --b, --M, --w and --V may be lists (16,32 or 2^10..2^14) and be repeated.\n"
      "\nExamples:\n"
      "  agpusim sweep bitonic_sort --n 2^10..2^26 --b 16,32,64 --fit\n"
      "  agpusim sweep multiway_merge_sort:heap --n 2^16 --set d=2..16 --machine textbook --M "
      "1024\n"
      "  agpusim sweep scan:all pram/scan:all --n 2^10..2^30 --fit\n"
      "  agpusim sweep all --n 2^10..2^20 --shard 1/4 --out part1.jsonl\n"
      "  mpirun --enable-recovery -np 17 agpusim sweep all --n 2^10..2^20 --mpi --threads 1 --out "
      "sweep.jsonl");
  command->callback([options] { run_sweep(*options); });
}

void setup_merge(CLI::App& app) {
  const auto options = std::make_shared<MergeOptions>();
  CLI::App* const command = add_command(
      app, "merge", "Put the shards of a sweep, or results of exec, together and print them");
  command
      ->add_option("parts", options->parts,
                   "files of `agpusim sweep --out`, or of `agpusim exec --json`")
      ->required()
      ->type_name("FILE");
  command->add_option("--out", options->out, "also write all points into one file")
      ->type_name("FILE");
  add_sweep_output(*command, options->output);
  command->footer(
      "Examples:\n  agpusim merge part1.jsonl part2.jsonl --fit --html sweep.html\n"
      "  agpusim merge results/*.json --csv");
  command->callback([options] { run_merge(*options); });
}

void run_sweep(SweepOptions options) {
  with_team(options.team, [&](Team& team) { run_sweep(options, team); });
}

void run_merge(const MergeOptions& options) {
  require_outputs({{"--out", options.out},
                   {"--html", options.output.report.html},
                   {"--svg", options.output.report.svg}},
                  options.parts);
  exit_on_interrupt();
  if (std::ranges::any_of(options.parts, exec::is_result)) {
    if (!options.out.empty() || options.output.fit || options.output.laws ||
        !options.output.report.svg.empty()) {
      throw UsageError(
          "merge: --out, --fit, --laws and --svg are of sweeps, these are results of exec");
    }
    const exec::MergedResults merged = exec::merge_results(options.parts);
    put_report(merged.report, options.output.report);
    if (!merged.missing.empty()) throw Mismatch(merged.missing);
    return;
  }
  std::vector<sweep::KeptRow> kept;
  for (const std::string& part : options.parts) {
    sweep::for_each_row(part, [&](sweep::KeptRow row) { kept.push_back(std::move(row)); });
  }
  sweep::Merged merged = sweep::merge(std::move(kept));
  defer_interrupt();
  if (!options.out.empty()) {
    std::string lines;
    for (const sweep::KeptRow& row : merged.kept)
      lines += sweep::to_line(row.row, row.whole) + "\n";
    write_file(options.out, lines);
  }
  sweep::Result result;
  for (sweep::KeptRow& row : merged.kept) result.rows.push_back(std::move(row.row));
  result.notes.push_back(ends_text(result.rows));
  if (merged.replaced > 0) {
    result.notes.push_back(
        fmt::format("{} of them are also there with other numbers: the last ones are printed",
                    merged.replaced));
  }
  result.notes.insert(result.notes.end(), merged.missing.begin(), merged.missing.end());
  const Faults faults = note_faults(result);
  write_sweep(std::move(result), options.output);
  exit_if_interrupted();
  faults.require_none();
  if (!merged.missing.empty()) throw Mismatch(fmt::format("{}", fmt::join(merged.missing, "; ")));
}

}  // namespace agpusim
