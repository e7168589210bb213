#include "agpusim/commands/exercise/exercise_own.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/new_folder.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/exercise/exercise_grade.hpp"
#include "agpusim/commands/exercise/exercise_table.hpp"
#include "agpusim/model/error.hpp"

#include "embed/new_cuda_exercise.hpp"
#include "embed/new_cuda_judge.hpp"
#include "embed/new_cuda_solution.hpp"
#include "embed/new_cuda_wrong.hpp"
#include "embed/new_kernel_exercise.hpp"
#include "embed/new_kernel_judge.hpp"
#include "embed/new_kernel_launch.hpp"
#include "embed/new_kernel_solution.hpp"
#include "embed/new_kernel_wrong.hpp"
#include "embed/new_pram_exercise.hpp"
#include "embed/new_pram_judge.hpp"
#include "embed/new_pram_solution.hpp"
#include "embed/new_pram_wrong.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

/// The mark that an answer must lose by its file's name, wrong_<mark>_<what>.hpp; empty: none.
std::string mark_in_name(const std::string& stem) {
  for (const char* const mark : {"result", "legality", "cost"}) {
    if (stem.starts_with(fmt::format("wrong_{}_", mark))) return mark;
  }
  return "";
}

/// What is not as it must be with the marks of one answer; empty: nothing.
std::string problem_of(const std::string& stem, const exercise::Marks& marks) {
  if (!marks.compiler.empty()) return marks.result;
  if (stem == "solution") {
    return marks.given() == 3 ? "" : "it must get all marks: " + marks.first_wrong();
  }
  if (stem == "exercise") {
    return marks.given() < 3 ? "" : "it gets all marks, and must leave something to do";
  }
  const std::string mark = mark_in_name(stem);
  const std::string lost = !marks.legality.empty() ? "legality"
                           : !marks.result.empty() ? "result"
                           : !marks.cost.empty()   ? "cost"
                                                   : "none";
  return lost == mark ? "" : fmt::format("it must lose {}, and loses {}", mark, lost);
}

/// The answers that an exercise brings: its solution, the file with the gap, wrong ones.
std::vector<FoundAnswer> answers_of(const exercise::Exercise& exercise) {
  std::vector<FoundAnswer> answers;
  for (const auto& entry : fs::directory_iterator(exercise.folder)) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != exercise.ending() || stem == "judge" || stem == "launch")
      continue;
    if (stem != "solution" && stem != "exercise" && mark_in_name(stem).empty()) {
      throw FileError(
          fmt::format("{}: name it wrong_MARK_WHAT{}, with the mark that it loses: result, "
                      "legality or cost",
                      entry.path().string(), exercise.ending()));
    }
    answers.push_back({stem, &exercise, entry.path().string()});
  }
  std::sort(answers.begin(), answers.end(),
            [](const FoundAnswer& a, const FoundAnswer& b) { return a.student < b.student; });
  return answers;
}

}  // namespace

void run_new_exercise(const std::string& name, ExerciseKind kind) {
  require_simple_name(name, "an exercise");
  for (const exercise::Exercise& bundled : bundled_exercises()) {
    if (bundled.name == name) {
      throw UsageError(
          fmt::format("'{0}' is taken: choose another name, for example my_{0}", name));
    }
  }
  using namespace embed;
  FilesToFill files = {{"exercise.hpp", new_pram_exercise()},
                       {"judge.hpp", new_pram_judge()},
                       {"solution.hpp", new_pram_solution()},
                       {"wrong_cost_one_processor.hpp", new_pram_wrong()}};
  if (kind == ExerciseKind::cuda) {
    files = {{"exercise.cu", new_cuda_exercise()},
             {"judge.hpp", new_cuda_judge()},
             {"solution.cu", new_cuda_solution()},
             {"wrong_legality_no_guard.cu", new_cuda_wrong()}};
  } else if (kind == ExerciseKind::kernel) {
    files = {{"exercise.hpp", new_kernel_exercise()},
             {"judge.hpp", new_kernel_judge()},
             {"launch.hpp", new_kernel_launch()},
             {"solution.hpp", new_kernel_solution()},
             {"wrong_legality_border.hpp", new_kernel_wrong()}};
  }
  make_folder(name, name, files, "choose another name");
  print(
      fmt::format("{0}: change its {1} files into your exercise, then\n\n"
                  "  agpusim exercise check {0}\n  agpusim exercise grade answers/ --with {0}\n",
                  name, files.size()));
}

void run_check(const CheckRequest& request) {
  require_output(request.output);
  const exercise::Exercise exercise = exercise_of_folder(request.folder);
  const std::vector<FoundAnswer> answers = answers_of(exercise);
  GradeRequest grade;
  grade.seed = request.seed;
  defer_interrupt();
  defer_termination();
  std::vector<MarkedAnswer> all;
  try {
    exercise::Workplace workplace;
    all = mark_answers(answers, grade, workplace);
  } catch (const exercise::StoppedByUser&) {
    throw Interrupted{};
  }
  std::vector<std::string> problems;
  for (const MarkedAnswer& one : all) {
    const std::string problem = problem_of(one.answer.student, one.marks);
    if (!problem.empty()) problems.push_back(fmt::format("{}: {}", one.answer.file, problem));
  }
  if (answers.size() < 3) {
    problems.push_back(fmt::format("{} has no wrong answer: wrong_MARK_WHAT.hpp", request.folder));
  }
  report::Report table = table_of(all, request.seed, answers.size());
  if (problems.empty() && all.size() == answers.size()) {
    table.body.remarks.push_back(
        "\nthe solution gets all marks, and each wrong answer loses the one that it must");
  }
  put_report(table, request.output);
  if (all.size() < answers.size()) throw Interrupted{};
  if (!problems.empty()) throw Mismatch(fmt::format("{}", fmt::join(problems, "; ")));
}

}  // namespace agpusim
