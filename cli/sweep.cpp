#include "agpusim/cli/sweep.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/compare_machines.hpp"
#include "agpusim/cli/host_memory.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/point_keeper.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/sweep_programs.hpp"
#include "agpusim/cli/sweep_shard.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/sweep/point_file.hpp"
#include "agpusim/validation/sweep/shared_work.hpp"
#include "agpusim/validation/sweep/to_report.hpp"

namespace agpusim {
namespace {

void add_sweep_output(CLI::App& command, SweepOutput& output) {
  command.add_flag("--fit", output.fit,
                   "find the law of every count and time, judged on the largest sizes");
  command.add_flag("--laws", output.laws, "the same, and print a line for each law and no points");
  add_report_options(command, output.report);
}

void write_sweep(sweep::Result result, const SweepOutput& output) {
  if (output.fit || output.laws) result.fits = sweep::fit_points(result.points);
  put_report(sweep::to_report(result, output.laws), output.report);
}

std::string ends_text(const std::vector<sweep::Point>& points) {
  std::map<std::string, std::int64_t> sources;
  for (const sweep::Point& point : points) {
    ++sources[point.refusal.empty() ? point.source : "refused"];
  }
  std::string text;
  for (const auto& [source, count] : sources) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, source);
  }
  return fmt::format("{} points: {}", points.size(), text);
}

/// Whether Q is the same whatever the number of cores, where the parameters are.
std::vector<std::string> cores_notes(const std::vector<sweep::Point>& points) {
  const sweep::CoresCheck check = sweep::check_cores(points);
  std::vector<std::string> notes = {
      fmt::format("Q is equal for every p in {} of {} groups of points that differ in p alone",
                  check.equal, check.groups)};
  notes.insert(notes.end(), check.differences.begin(), check.differences.end());
  return notes;
}

/// What every rank makes of the command line.
struct Sweep {
  explicit Sweep(const SweepOptions& options)
      : machines(compared_machines(options.machine, {options.device, options.devices, {}}, {})),
        all(sweep_runs(options, machines)) {
    counting.simulate_limit = static_cast<double>(
        parse_size("--simulate-limit", options.simulate_limit, {.min = 0, .example = "2^28"}));
    counting.verify = options.verify;
    counting.threads = parse_threads(options.threads);
    counting.require_memory = require_host_memory;
  }

  std::vector<contest::ComparedMachine> machines;
  std::vector<sweep::Run> all;
  sweep::Options counting;
};

void run_sweep(SweepOptions options, Team& team) {
  if (team.has_ranks() && !options.shard.empty()) {
    throw UsageError("--mpi and --shard: the ranks of --mpi share all points; leave one out");
  }
  Sweep prepared(options);
  sweep::Options& counting = prepared.counting;
  if (!team.leads()) {
    team.share(sweep::shared_work(prepared.all, counting), {});
  }
  if (options.shard == "job") {
    options.shard = shard_of_job();
    options.out = file_of_shard(options.out, options.shard);
  }
  require_outputs({{"--out", options.out}, {"--html", options.output.report.html}});
  const std::vector<sweep::Run> runs = shard_of(prepared.all, options.shard);
  const sweep::Whole whole = sweep::whole_of(prepared.all);
  const ranks::Work work = sweep::shared_work(runs, counting);
  sweep::Result result;
  std::vector<std::size_t> given_up;
  std::optional<Mismatch> wrong;  // ends the sweep; what was counted before it is printed
  {
    PointKeeper keeper(options.out, whole);
    Progress progress;
    std::size_t done = 0;
    counting.known = &keeper.known();
    counting.counted = [&](const sweep::Point& point) {
      progress.show(fmt::format("{} of {}: {} n = {}", ++done, runs.size(), point.program,
                                size_text(point.n())));
      keeper.add(point);
      result.points.push_back(point);
    };
    counting.stop = interrupted;
    defer_interrupt();
    if (team.has_ranks()) {
      const sweep::KnownByRun known(keeper.known(), whole);
      given_up = team.share(work, {.known = [&](std::size_t run) { return known.lines(runs[run]); },
                                   .take =
                                       [&](std::size_t, const std::string& line) {
                                         counting.counted(sweep::from_line(line).point);
                                       },
                                   .stop = interrupted,
                                   .save = [&] { keeper.save(); }});
    } else {
      try {
        static_cast<void>(sweep::count_points(runs, counting));
      } catch (const Mismatch& error) {
        wrong = error;
      }
    }
    std::stable_sort(result.points.begin(), result.points.end(), sweep::comes_before);
    keeper.save();
  }
  team.exit_if_interrupted();
  if (wrong && result.points.empty()) throw *wrong;
  result.notes.push_back(ends_text(result.points));
  if (!options.shard.empty()) {
    result.notes.push_back(
        fmt::format("shard {} of a sweep of {} points", options.shard, whole.points));
  }
  for (const std::size_t run : given_up) {
    result.notes.push_back(fmt::format("given up, three ranks died with it: {}", work.name(run)));
  }
  if (options.same_program) {
    for (std::string& note : cores_notes(result.points)) result.notes.push_back(std::move(note));
  }
  defer_interrupt();
  write_sweep(std::move(result), options.output);
  team.exit_if_interrupted();
  require_none_given_up(given_up, work);
  if (wrong) throw *wrong;
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
  command
      ->add_option("-n,--n", options->n,
                   "elements of the input: a list of sizes and ranges (see `agpusim help sizes`)")
      ->type_name("SIZES");
  add_machine_options(*command, options->machine);
  for (const char* const list : {"--machine", "--p", "--b", "--M", "--w", "--V"}) {
    command->get_option(list)->join(',');
  }
  command->add_option("--type", options->type, "element type (default: the first of each row)")
      ->type_name("NAME");
  command->add_option("--input", options->input, "kind of input (default: the first of each row)")
      ->type_name("NAME");
  command->add_option("--seed", options->seed, "seed of the input")
      ->type_name("NUMBER")
      ->capture_default_str();
  command
      ->add_option("--set", options->set, "parameter of every program that has it; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  command->add_flag("--same-program", options->same_program,
                    "parameters by default are those of the largest p, on every p");
  command->add_flag("--verify", options->verify,
                    "simulate what is affordable though it is known, and compare");
  command
      ->add_option("--simulate-limit", options->simulate_limit,
                   "most lane operations of a simulation; larger runs are extrapolated")
      ->type_name("SIZE")
      ->capture_default_str();
  command->add_option("--threads", options->threads, "host threads (0: one per core)")
      ->type_name("NUMBER")
      ->capture_default_str();
  command
      ->add_option("--device", options->device, "whose constants predict (default: the machine's)")
      ->type_name("NAME");
  command->add_option("--devices", options->devices, "folder of device files")->type_name("DIR");
  command
      ->add_option("--shard", options->shard,
                   "count only every N-th point, from the I-th on; job: those of this process of a "
                   "Slurm job array, mpirun or srun, in a FILE of its own")
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
      "  agpusim sweep scan:all pram/scan:all --n 2^10..2^30 --fit\n"
      "  agpusim sweep all --n 2^10..2^20 --shard 1/4 --out part1.jsonl\n"
      "  mpirun --enable-recovery -np 17 agpusim sweep all --n 2^10..2^20 --mpi --threads 1 --out "
      "sweep.jsonl");
  command->callback([options] { run_sweep(*options); });
}

void setup_merge(CLI::App& app) {
  const auto options = std::make_shared<MergeOptions>();
  CLI::App* const command =
      add_command(app, "merge", "Put the shards of a sweep together and print it");
  command->add_option("parts", options->parts, "files of `agpusim sweep --out`")
      ->required()
      ->type_name("FILE");
  command->add_option("--out", options->out, "also write all points into one file")
      ->type_name("FILE");
  add_sweep_output(*command, options->output);
  command->footer("Examples:\n  agpusim merge part1.jsonl part2.jsonl --fit --html sweep.html");
  command->callback([options] { run_merge(*options); });
}

void run_sweep(SweepOptions options) {
  with_team(options.team, [&](Team& team) { run_sweep(options, team); });
}

void run_merge(const MergeOptions& options) {
  require_outputs({{"--out", options.out}, {"--html", options.output.report.html}}, options.parts);
  exit_on_interrupt();
  std::vector<sweep::KeptPoint> kept;
  for (const std::string& part : options.parts) {
    for (sweep::KeptPoint& point : sweep::read_points(part)) kept.push_back(std::move(point));
  }
  sweep::Merged merged = sweep::merge(kept);
  defer_interrupt();
  if (!options.out.empty()) {
    std::string lines;
    for (const sweep::KeptPoint& point : merged.kept) {
      lines += sweep::to_line(point.point, point.whole) + "\n";
    }
    write_file(options.out, lines);
  }
  sweep::Result result;
  for (sweep::KeptPoint& point : merged.kept) result.points.push_back(std::move(point.point));
  result.notes.push_back(ends_text(result.points));
  if (merged.replaced > 0) {
    result.notes.push_back(
        fmt::format("{} of them are also there with other numbers: the last ones are printed",
                    merged.replaced));
  }
  for (std::string& missing : merged.missing) result.notes.push_back(std::move(missing));
  write_sweep(std::move(result), options.output);
  exit_if_interrupted();
}

}  // namespace agpusim
