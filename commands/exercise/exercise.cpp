#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/exercise/exercise_cuda.hpp"
#include "agpusim/commands/exercise/exercise_grade.hpp"
#include "agpusim/commands/exercise/exercise_own.hpp"
#include "agpusim/commands/exercise/exercise_table.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim {
namespace {

/// Lets a command know the exercises that lie in folders.
void add_with(CLI::App& command, std::vector<std::string>& folders) {
  command.add_option("--with", folders, "exercises of your own, or a folder of such")
      ->type_name("FOLDER");
}

report::Report exercises_report(const std::vector<std::string>& with) {
  using Row = ExerciseHeading;
  std::vector<Row> rows;
  for (const exercise::Exercise& exercise : exercises_with(with)) {
    rows.push_back(exercise_heading(exercise.start));
  }
  const std::vector<report::Column<Row>> columns = {
      {{"exercise", "exercise"}, [](const Row& row) { return report::Value(row.name); }},
      {{"machine", "machine"}, [](const Row& row) { return report::Value(row.machine); }},
      {{"about", "about"}, [](const Row& row) { return report::Value(row.about); }}};
  report::Report written;
  written.page_title = "Exercises";
  written.body.tables = {report::table("exercises", columns, rows)};
  written.body.tables.front().csv = true;
  written.body.remarks = {
      "\nagpusim exercise start NAME writes NAME.hpp, of CUDA NAME.cu, of a question NAME.txt; "
      "fill the gap, then agpusim exercise grade NAME.hpp"};
  return written;
}

void run_start(const std::string& name, const std::vector<std::string>& with) {
  const std::vector<exercise::Exercise> all = exercises_with(with);
  const exercise::Exercise& exercise = find_exercise(all, name);
  const std::filesystem::path file = name + exercise.ending();
  if (std::filesystem::exists(file)) {
    throw UsageError(
        fmt::format("{} exists already: nothing is overwritten, move it away", file.string()));
  }
  write_file(file, exercise.start);
  std::string options;
  for (const std::string& folder : with) options += " --with " + folder;
  print(fmt::format("{0}: fill the gap, then\n\n  agpusim exercise grade {0}{1}\n", file.string(),
                    options));
}

}  // namespace

void setup_exercise(CLI::App& app) {
  CLI::App* const command =
      add_command(app, "exercise", "Exercises that are marked for result, legality and cost");
  command->require_subcommand(1);
  const auto output = std::make_shared<ReportOutput>();
  CLI::App* const list = add_command(*command, "list", "the exercises");
  const auto with = std::make_shared<std::vector<std::string>>();
  add_with(*list, *with);
  add_report_options(*list, *output);
  list->callback([output, with] {
    require_output(*output);
    put_report(exercises_report(*with), *output);
  });

  const auto name = std::make_shared<std::string>();
  CLI::App* const start = add_command(*command, "start", "write the file of an exercise here");
  start->add_option("name", *name, "see `agpusim exercise list`")->required();
  add_with(*start, *with);
  start->callback([name, with] { run_start(*name, *with); });

  const auto request = std::make_shared<GradeRequest>();
  CLI::App* const grade = add_command(*command, "grade", "compile, run and mark answers");
  grade->add_option("path", request->paths, "answers: files, folders, zip archives")->required();
  grade->add_option("--as", request->as, "the exercise (default: by the name of the file)")
      ->type_name("NAME");
  add_with(*grade, request->with);
  add_seed(*grade, request->seed, "of sizes and hostile inputs");
  grade->add_option("--threads", request->threads, "answers at a time (default: all cores)")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1024));
  grade->add_option("--seconds", request->seconds, "that an answer may take")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  grade->add_flag("--verbose", request->verbose, "all that the compiler says");
  grade->add_option("--pages", request->pages, "a page for each answer, to hand back")
      ->type_name("FOLDER");
  grade->add_option("--moodle", request->moodle, "a worksheet of grades for Moodle, CSV")
      ->type_name("FILE");
  grade->add_option("--gradescope", request->gradescope, "results.json of an autograder")
      ->type_name("FILE");
  add_report_options(*grade, request->output);
  grade->footer("Example:\n  agpusim exercise grade answers/ --seed 2026 --csv");
  grade->callback([request] { run_grade(*request); });

  CLI::App* const make =
      add_command(*command, "new", "write a folder with an exercise of your own");
  make->add_option("name", *name, "of the exercise, for example my_sort")->required();
  const auto pram = std::make_shared<bool>(false);
  const auto cuda = std::make_shared<bool>(false);
  make->add_flag("--pram", *pram, "for a step program, not for a kernel");
  make->add_flag("--cuda", *cuda, "for kernels in CUDA")->excludes("--pram");
  make->callback([name, pram, cuda] {
    run_new_exercise(*name, *cuda   ? ExerciseKind::cuda
                            : *pram ? ExerciseKind::pram
                                    : ExerciseKind::kernel);
  });

  const auto checked = std::make_shared<CheckRequest>();
  CLI::App* const check =
      add_command(*command, "check", "mark what such a folder brings, right and wrong");
  check->add_option("folder", checked->folder, "of the exercise")->required();
  add_seed(*check, checked->seed, "of sizes and hostile inputs");
  add_report_options(*check, checked->output);
  check->footer("Example:\n  agpusim exercise new my_task && agpusim exercise check my_task");
  check->callback([checked] { run_check(*checked); });
  // The process that runs an answer in CUDA.
  CLI::App* const serve = command->add_subcommand("run-kernels")->group("");
  serve->add_option("ptx", *name)->required();
  serve->callback([name] { std::exit(serve_kernels(*name)); });
  command->footer(
      "Example:\n"
      "  agpusim exercise start reverse && agpusim exercise grade reverse.hpp");
}

}  // namespace agpusim
