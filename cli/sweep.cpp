#include "agpusim/cli/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/compare_machines.hpp"
#include "agpusim/cli/host_memory.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/sweep_programs.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/records/record.hpp"
#include "agpusim/validation/report/atomic_file.hpp"
#include "agpusim/validation/sweep/point_file.hpp"
#include "agpusim/validation/sweep/to_report.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

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

/// The shard "I/N" of this process among those of its job: of a job array of Slurm, of mpirun (Open
/// MPI, or one that speaks PMI), or of srun.
std::string shard_of_job() {
  const auto number = [](const char* name) -> std::optional<std::int64_t> {
    const char* const text = std::getenv(name);
    if (text == nullptr || *text == 0) return std::nullopt;
    return parse_size(name, text, {.min = 0, .example = "3"});
  };
  const auto of_job = [&](const char* rank, const char* size) -> std::optional<std::string> {
    const auto i = number(rank);
    const auto n = number(size);
    if (!i || !n || *n < 1) return std::nullopt;
    return fmt::format("{}/{}", *i + 1, *n);
  };
  const auto task = number("SLURM_ARRAY_TASK_ID");
  const auto tasks = number("SLURM_ARRAY_TASK_COUNT");
  if (task && tasks) {
    const std::int64_t step =
        std::max<std::int64_t>(number("SLURM_ARRAY_TASK_STEP").value_or(1), 1);
    const std::int64_t first = number("SLURM_ARRAY_TASK_MIN").value_or(0);
    return fmt::format("{}/{}", (*task - first) / step + 1, *tasks);
  }
  for (const auto& [rank, size] : {std::pair{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                   {"PMI_RANK", "PMI_SIZE"},
                                   {"SLURM_PROCID", "SLURM_NTASKS"}}) {
    if (const auto shard = of_job(rank, size)) return *shard;
  }
  throw UsageError(
      "--shard job: this process is not one of a job array of Slurm, of mpirun or of srun; name "
      "the shard, for example --shard 1/4");
}

/// part.jsonl as the file of shard I/N: part-I-of-N.jsonl.
std::string file_of_shard(const fs::path& path, std::string shard) {
  if (path.empty()) return "";
  shard.replace(shard.find('/'), 1, "-of-");
  return path.parent_path() /
         fmt::format("{}-{}{}", path.stem().string(), shard, path.extension().string());
}

/// The runs of a shard "I/N": every N-th of those with the largest n first, from the I-th on.
std::vector<sweep::Run> shard_of(std::vector<sweep::Run> runs, const std::string& shard) {
  if (shard.empty()) return runs;
  const std::size_t slash = shard.find('/');
  if (slash == std::string::npos) {
    throw UsageError(fmt::format("--shard '{}' is not I/N; for example --shard 1/4", shard));
  }
  const auto of = parse_size("--shard", shard.substr(slash + 1), {.example = "1/4"});
  const auto number = parse_size("--shard", shard.substr(0, slash), {.max = of, .example = "1/4"});
  const auto n_of = [](const sweep::Run& run) {
    return run.algorithm != nullptr ? run.config.n : run.pram_config.n;
  };
  std::stable_sort(runs.begin(), runs.end(),
                   [&](const sweep::Run& a, const sweep::Run& b) { return n_of(a) > n_of(b); });
  std::vector<sweep::Run> result;
  for (auto i = static_cast<std::size_t>(number - 1); i < runs.size();
       i += static_cast<std::size_t>(of)) {
    result.push_back(runs[i]);
  }
  return result;
}

/// Keeps the points in a file as they are counted, a few seconds at a time.
class PointKeeper {
 public:
  PointKeeper(fs::path path, sweep::Whole whole)
      : path_(std::move(path)), whole_(std::move(whole)) {}

  void add(const sweep::Point& point) {
    if (path_.empty()) return;
    lines_.push_back(sweep::to_line(point, whole_));
    constexpr double seconds_at_risk = 5;
    const std::chrono::duration<double> unsaved = std::chrono::steady_clock::now() - saved_;
    if (unsaved.count() > seconds_at_risk) save();
  }

  void save() {
    if (!lines_.empty()) append_records(path_, lines_);
    lines_.clear();
    saved_ = std::chrono::steady_clock::now();
  }

 private:
  fs::path path_;
  sweep::Whole whole_;
  std::vector<std::string> lines_;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
};

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
      "  agpusim sweep all --n 2^10..2^20 --shard 1/4 --out part1.jsonl");
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
  if (options.shard == "job") {
    options.shard = shard_of_job();
    options.out = file_of_shard(options.out, options.shard);
  }
  require_outputs({{"--out", options.out}, {"--html", options.output.report.html}});
  const auto machines =
      compared_machines(options.machine, {options.device, options.devices, {}}, {});
  const std::vector<sweep::Run> all = sweep_runs(options, machines);
  const std::vector<sweep::Run> runs = shard_of(all, options.shard);
  const sweep::Whole whole = sweep::whole_of(all);

  std::unordered_map<std::string, sweep::Point> known;
  std::set<std::string> kept_keys;  // of points that the file has as part of this sweep
  if (!options.out.empty()) {
    if (fs::exists(options.out) && fs::file_size(options.out) > 0) {
      for (sweep::KeptPoint& kept : sweep::read_points(options.out)) {
        std::string key = kept.point.key;
        if (kept.whole == whole) kept_keys.insert(key);
        known.insert_or_assign(std::move(key), std::move(kept.point));
      }
    }
  }
  sweep::Options counting;
  counting.simulate_limit = static_cast<double>(
      parse_size("--simulate-limit", options.simulate_limit, {.min = 0, .example = "2^28"}));
  counting.verify = options.verify;
  counting.threads = parse_threads(options.threads);
  counting.require_memory = require_host_memory;
  counting.known = &known;
  sweep::Result result;
  {
    PointKeeper keeper(options.out, whole);
    Progress progress;
    std::size_t done = 0;
    counting.counted = [&](const sweep::Point& point) {
      progress.show(fmt::format("{} of {}: {} n = {}", ++done, runs.size(), point.program,
                                size_text(point.n())));
      if (!kept_keys.contains(point.key)) keeper.add(point);
    };
    counting.stop = interrupted;
    defer_interrupt();
    result.points = sweep::count_points(runs, counting);
    keeper.save();
    exit_if_interrupted();
  }
  result.notes.push_back(ends_text(result.points));
  if (!options.shard.empty()) {
    result.notes.push_back(
        fmt::format("shard {} of a sweep of {} points", options.shard, whole.points));
  }
  if (options.same_program) {
    for (std::string& note : cores_notes(result.points)) result.notes.push_back(std::move(note));
  }
  defer_interrupt();
  write_sweep(std::move(result), options.output);
  exit_if_interrupted();
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
  for (std::string& missing : merged.missing) result.notes.push_back(std::move(missing));
  write_sweep(std::move(result), options.output);
  exit_if_interrupted();
}

}  // namespace agpusim
