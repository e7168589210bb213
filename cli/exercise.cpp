#include <filesystem>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/exercise_grade.hpp"
#include "agpusim/cli/exercise_table.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim {
namespace {

report::Report exercises_report() {
  using exercise::Exercise;
  // The file with the gap begins with "// exercise NAME (MACHINE): what."
  const auto between = [](const Exercise& exercise, const char* begin, const char* end) {
    const std::size_t from = exercise.start.find(begin) + std::string(begin).size();
    return report::Value(exercise.start.substr(from, exercise.start.find(end, from) - from));
  };
  const std::vector<report::Column<Exercise>> columns = {
      {{"exercise", "exercise"}, [](const Exercise& one) { return report::Value(one.name); }},
      {{"machine", "machine"}, [=](const Exercise& one) { return between(one, " (", "): "); }},
      {{"about", "about"}, [=](const Exercise& one) { return between(one, "): ", ".\n"); }}};
  report::Report written;
  written.body.tables = {report::table("exercises", columns, exercises())};
  written.body.tables.front().csv = true;
  written.body.remarks = {
      "\nagpusim exercise start NAME writes NAME.hpp; fill the gap, then agpusim exercise grade "
      "NAME.hpp"};
  return written;
}

void run_start(const std::string& name) {
  const exercise::Exercise& exercise = find_exercise(name);
  const std::filesystem::path file = name + ".hpp";
  if (std::filesystem::exists(file)) {
    throw UsageError(
        fmt::format("{} exists already: nothing is overwritten, move it away", file.string()));
  }
  write_file(file, exercise.start);
  print(fmt::format("{}: fill the gap, then\n\n  agpusim exercise grade {}\n", file.string(),
                    file.string()));
}

}  // namespace

void setup_exercise(CLI::App& app) {
  CLI::App* const command =
      add_command(app, "exercise", "Exercises that are marked for result, legality and cost");
  command->require_subcommand(1);
  const auto output = std::make_shared<ReportOutput>();
  CLI::App* const list = add_command(*command, "list", "the exercises");
  add_report_options(*list, *output);
  list->callback([output] {
    require_output(*output);
    put_report(exercises_report(), *output);
  });

  const auto name = std::make_shared<std::string>();
  CLI::App* const start = add_command(*command, "start", "write the file of an exercise here");
  start->add_option("name", *name, "see `agpusim exercise list`")->required();
  start->callback([name] { run_start(*name); });

  const auto request = std::make_shared<GradeRequest>();
  CLI::App* const grade = add_command(*command, "grade", "compile, run and mark answers");
  grade->add_option("path", request->paths, "answers: files, folders, zip archives")->required();
  grade->add_option("--as", request->as, "the exercise (default: by the name of the file)")
      ->type_name("NAME");
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
  add_report_options(*grade, request->output);
  grade->callback([request] { run_grade(*request); });
  command->footer(
      "Example:\n"
      "  agpusim exercise start reverse && agpusim exercise grade reverse.hpp");
}

}  // namespace agpusim
