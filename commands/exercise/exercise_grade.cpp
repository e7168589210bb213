#include "agpusim/commands/exercise/exercise_grade.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <regex>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/compiler_errors.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/exercise/exercise_compiler.hpp"
#include "agpusim/commands/exercise/exercise_export.hpp"
#include "agpusim/commands/exercise/exercise_table.hpp"
#include "agpusim/commands/exercise/grade.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/program_folders.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

/// More answers than this are worth compiling what they share first: that takes as long as four
/// answers save, and one core.
constexpr std::size_t few_answers = 8;

exercise::Marks mark_answer(const FoundAnswer& answer, const exercise::Trials& trials,
                            const GradeRequest& request, AnswerCompiler& compiler,
                            exercise::Workplace& workplace, const std::string& program) {
  const exercise::Exercise& exercise = *answer.exercise;
  const std::string said = compiler.compile(exercise, answer.file, program);
  if (!said.empty()) {
    exercise::Marks marks{exercise.name, request.seed};
    marks.result = "it does not compile: " + first_error(said, answer.file).front();
    marks.legality = "not marked before it compiles";
    marks.compiler = said;
    return marks;
  }
  std::vector<std::string> command = exercise::sandbox();
  const bool sandboxed = !command.empty();
  std::vector<std::string> words = {program};
  if (sandboxed) {
    command.insert(command.end(), {"--ro-bind", program, "/tmp/answer"});
    words = {"/tmp/answer"};
  }
  if (!exercise.cuda_solution.empty()) {
    std::string agpusim = this_program().string();
    if (sandboxed) {
      command.insert(command.end(), {"--ro-bind", agpusim, "/tmp/agpusim"});
      agpusim = "/tmp/agpusim";
    }
    words = engine_of(agpusim, words.front());
  }
  command.insert(command.end(), words.begin(), words.end());
  exercise::Limits limits;
  limits.seconds = request.seconds;
  limits.forbids = !sandboxed;
  limits.processor_seconds = std::max(1, request.seconds / 2);
  exercise::Process process(command, limits, workplace, interrupted);
  exercise::Marks marks = mark(exercise.name, request.seed, trials,
                               [&](const std::string& asked) { return process.ask(asked); });
  marks.sandbox = sandboxed ? "bubblewrap: no network, files are read only"
                  : exercise::can_forbid_calls()
                      ? "seccomp, since bubblewrap (bwrap) is not installed: no network, no "
                        "processes, files are read only"
                      : "none: there is no bubblewrap (bwrap) and no seccomp here";
  std::error_code ignored;
  fs::remove(program, ignored);
  return marks;
}

std::string costs_text(const exercise::Marks& marks) {
  std::vector<std::string> costs;
  for (const exercise::Paid& paid : marks.costs) {
    costs.push_back(fmt::format("{} {}/{}", paid.limit.cost, paid.cost, paid.limit.paid));
  }
  return fmt::format("{}", fmt::join(costs, " "));
}

}  // namespace

report::Report table_of(const std::vector<MarkedAnswer>& all, std::uint64_t seed,
                        std::size_t found) {
  using report::Value;
  const auto text = [](const char* key, auto get) {
    return report::Column<MarkedAnswer>{{key, key},
                                        [get](const MarkedAnswer& one) { return Value(get(one)); }};
  };
  const std::vector<report::Column<MarkedAnswer>> columns = {
      text("student", [](const MarkedAnswer& one) { return one.answer.student; }),
      text("exercise", [](const MarkedAnswer& one) { return one.answer.exercise->name; }),
      text("result", [](const MarkedAnswer& one) { return one.marks.result.empty(); }),
      text("legality", [](const MarkedAnswer& one) { return one.marks.legality.empty(); }),
      text("cost",
           [](const MarkedAnswer& one) { return one.marks.right() && one.marks.cost.empty(); }),
      text("marks", [](const MarkedAnswer& one) { return one.marks.given(); }),
      {{"costs", "paid/best known"},
       [](const MarkedAnswer& one) { return Value(costs_text(one.marks)); }},
      {{"message", "first message"}, [](const MarkedAnswer& one) {
         const std::string wrong = one.marks.first_wrong();
         return Value(wrong.substr(0, wrong.find('\n')));
       }}};
  struct Share {
    std::string exercise;
    std::array<int, 4> with{};
  };
  std::map<std::string, Share> shares;
  for (const MarkedAnswer& one : all) {
    Share& share = shares[one.answer.exercise->name];
    share.exercise = one.answer.exercise->name;
    ++share.with[static_cast<std::size_t>(one.marks.given())];
  }
  std::vector<Share> rows;
  for (const auto& [name, share] : shares) rows.push_back(share);
  std::vector<report::Column<Share>> share_columns = {
      {{"exercise", "exercise"}, [](const Share& share) { return Value(share.exercise); }}};
  for (std::size_t marks = 0; marks < 4; ++marks) {
    share_columns.push_back({{.key = fmt::format("with_{}", marks),
                              .title = fmt::format("{} of 3", marks),
                              .bar = true},
                             [marks](const Share& share) { return Value(share.with[marks]); }});
  }
  report::Report written;
  written.title = fmt::format("{} of {} answers, seed {}", all.size(), found, seed);
  written.body.facts = {{{"seed", ""}, seed}, {{"found", ""}, found}};
  const auto ran = std::find_if(all.begin(), all.end(),
                                [](const MarkedAnswer& one) { return !one.marks.sandbox.empty(); });
  written.body.facts.push_back(
      {{"sandbox", "sandbox"}, ran == all.end() ? "no answer ran" : ran->marks.sandbox});
  written.body.tables = {report::table("answers", columns, all),
                         report::table("distribution", share_columns, rows)};
  written.body.tables.front().csv = true;
  written.body.tables.front().what = "answers";
  std::array<int, 4> with{};
  for (const MarkedAnswer& one : all) ++with.at(static_cast<std::size_t>(one.marks.given()));
  written.answer.sentence = fmt::format("{} of {} answers have all marks.", with[3], all.size());
  for (std::size_t marks = 4; marks-- > 0;) {
    written.answer.parts.emplace_back(fmt::format("{} of 3 marks: {},", marks, with.at(marks)),
                                      with.at(marks));
  }
  return written;
}

namespace {

void put_one(const MarkedAnswer& one, const GradeRequest& request) {
  const ReportOutput& output = request.output;
  const exercise::Marks& marks = one.marks;
  if (!marks.compiler.empty()) {
    const std::vector<std::string> error = first_error(marks.compiler, one.answer.file);
    message(request.verbose ? marks.compiler : fmt::format("{}", fmt::join(error, "\n")));
  }
  if (output.json || output.csv || output.tex || !output.html.empty())
    put_report(to_report(marks), output);
  if (!output.json && !output.csv && !output.tex && marks.compiler.empty()) print(marks.text());
  if (!marks.compiler.empty())
    throw Mismatch(fmt::format("{} does not compile", request.paths.front()));
  if (marks.given() < 3) throw Mismatch(fmt::format("{}: not all marks are given", marks.name));
}

/// What is wrong at the lines of the answer that the marks name.
report::Table wrong_lines(const MarkedAnswer& one) {
  using report::Value;
  using Line = std::pair<std::string, std::int64_t>;
  const std::string name = fs::path(one.answer.file).filename().string();
  std::vector<Line> lines;
  for (const std::string& wrong : {one.marks.result, one.marks.legality, one.marks.cost}) {
    const std::regex place(R"(([\w.+-]{1,255}\.(?:hpp|cu)):(\d{1,9}))");
    for (std::sregex_iterator at(wrong.begin(), wrong.end(), place), end; at != end; ++at) {
      if (at->str(1) != name &&
          at->str(1) != one.answer.exercise->name + one.answer.exercise->ending())
        continue;
      lines.emplace_back(wrong, std::stoll(at->str(2)));
      break;
    }
  }
  const std::vector<report::Column<Line>> columns = {
      {{.key = "", .title = "wrong", .alarm = true}, [](const Line& l) { return Value(l.first); }},
      {{"file", ""}, [&](const Line&) { return Value(one.answer.file); }},
      {{"line", "line", report::Format::plain}, [](const Line& l) { return Value(l.second); }}};
  return report::table("", columns, lines);
}

/// A file for each answer: whose, which participant, which exercise, and a number from the second.
std::vector<std::string> page_names(const std::vector<MarkedAnswer>& all) {
  std::map<std::string, int> taken;
  std::vector<std::string> names;
  for (const MarkedAnswer& one : all) {
    const std::string& participant = one.answer.participant;
    std::string name = one.answer.student.substr(0, 150) + (participant.empty() ? "" : ".") +
                       participant + '.' + one.answer.exercise->name;
    std::replace(name.begin(), name.end(), '/', '_');
    const int number = ++taken[name];
    names.push_back(name + (number == 1 ? "" : fmt::format(".{}", number)) + ".html");
  }
  return names;
}

void put_pages(const std::vector<MarkedAnswer>& all, const std::string& folder) {
  fs::create_directories(folder);
  const std::vector<std::string> names = page_names(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const MarkedAnswer& one = all[i];
    report::Report page = to_report(one.marks);
    page.title = fmt::format("{}: exercise {}", one.answer.student, one.answer.exercise->name);
    page.files = {one.answer.file};
    page.body.sections.emplace_back().tables = {wrong_lines(one)};
    write_file(fs::path(folder) / names[i], report::to_html(page));
  }
}

}  // namespace

std::vector<MarkedAnswer> mark_answers(const std::vector<FoundAnswer>& answers,
                                       const GradeRequest& request,
                                       exercise::Workplace& workplace) {
  std::vector<const exercise::Exercise*> exercises;  // with a judge
  std::size_t in_cpp = 0;
  for (const FoundAnswer& answer : answers) {
    if (!answer.refused.empty()) continue;
    if (answer.exercise->values.empty() && answer.exercise->cuda_solution.empty()) ++in_cpp;
    const bool known =
        std::find(exercises.begin(), exercises.end(), answer.exercise) != exercises.end();
    if (!known && answer.exercise->values.empty()) exercises.push_back(answer.exercise);
  }
  AnswerCompiler compiler(workplace, interrupted);
  Progress progress;
  progress.show("compiling and running");
  if (in_cpp > few_answers) compiler.precompile();
  const std::size_t threads = request.threads > 0
                                  ? static_cast<std::size_t>(request.threads)
                                  : std::max(1U, std::thread::hardware_concurrency());
  std::mutex mutex;
  // Calls job(0) to job(count - 1) on all threads. Ctrl-C ends it.
  const auto for_each = [&](std::size_t count, const auto& job) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr error;
    const auto work = [&] {
      for (std::size_t i; (i = next++) < count;) {
        try {
          job(i);
        } catch (const exercise::StoppedByUser&) {
          return;
        } catch (...) {
          const std::lock_guard guard(mutex);
          error = std::current_exception();
          return;
        }
      }
    };
    std::vector<std::thread> workers;
    for (std::size_t t = 1; t < std::min(count, threads); ++t) workers.emplace_back(work);
    work();
    for (std::thread& worker : workers) worker.join();
    if (error) std::rethrow_exception(error);
  };
  std::map<const exercise::Exercise*, exercise::Trials> trials;
  for_each(exercises.size(), [&](std::size_t i) {
    exercise::Trials drawn = compiler.trials(*exercises[i], request.seed);
    const std::lock_guard guard(mutex);
    trials.emplace(exercises[i], std::move(drawn));
  });
  std::vector<std::optional<exercise::Marks>> marks(answers.size());
  if (trials.size() == exercises.size()) {
    std::size_t done = 0;
    for_each(answers.size(), [&](std::size_t i) {
      const exercise::Exercise& exercise = *answers[i].exercise;
      const auto not_marked = [&](const std::string& why) {
        return exercise::Marks{
            .name = exercise.name, .seed = request.seed, .result = why, .legality = why};
      };
      try {
        marks[i] = !answers[i].refused.empty() ? not_marked(answers[i].refused)
                   : exercise.values.empty()
                       ? mark_answer(answers[i], trials.at(&exercise), request, compiler, workplace,
                                     (workplace / fmt::format("answer{}", i)).string())
                       : mark_values(exercise, request.seed, read_file(answers[i].file));
      } catch (const Error& error) {
        if (answers.size() == 1) throw;
        marks[i] = not_marked(error.what());
      }
      const std::lock_guard guard(mutex);
      progress.show(fmt::format("{} of {} answers marked", ++done, answers.size()));
    });
  }
  std::vector<MarkedAnswer> all;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (marks[i]) all.push_back({answers[i], *marks[i]});
  }
  if (all.empty()) throw Interrupted{};
  return all;
}

void run_grade(const GradeRequest& request) {
  require_output(request.output, request.paths);
  for (const std::string& path : request.paths) {
    if (!fs::exists(path)) throw IoError(fmt::format("{} is not there: name an answer", path));
  }
  const std::vector<exercise::Exercise> exercises = exercises_with(request.with);
  defer_interrupt();
  defer_termination();
  std::vector<FoundAnswer> answers;
  std::vector<MarkedAnswer> all;
  try {
    exercise::Workplace workplace;
    answers = find_answers(exercises, request.paths, request.as, workplace, interrupted);
    all = mark_answers(answers, request, workplace);
    if (!request.pages.empty()) put_pages(all, request.pages);  // answers may lie in the workplace
    if (!request.moodle.empty()) put_moodle(all, request.moodle);
    if (!request.gradescope.empty()) put_gradescope(all, request.gradescope);
  } catch (const exercise::StoppedByUser&) {
    throw Interrupted{};
  }
  if (answers.size() == 1 && !fs::is_directory(request.paths.front())) {
    put_one(all.front(), request);
  } else {
    report::Report table = table_of(all, request.seed, answers.size());
    if (!request.pages.empty()) {
      const fs::path class_page = fs::absolute(request.output.html);
      const fs::path pages = fs::proximate(request.pages, class_page.parent_path());
      for (const std::string& name : page_names(all)) {
        table.body.tables.front().links.push_back((pages / name).string());
      }
    }
    put_report(table, request.output);
  }
  if (all.size() < answers.size()) throw Interrupted{};
}

}  // namespace agpusim
