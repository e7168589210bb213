#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/cli/suggest.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/exercise/grade.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

#include "embed/exercises.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

struct Exercise {
  std::string name;
  std::string machine;
  std::string what;
  std::string text;    ///< the file with the gap
  std::string grader;  ///< defines the_exercise() around an answer
};

/// The parts of the embedded text: "// exercise NAME (MACHINE): what." begins an exercise, "//
/// marks of NAME" its grader.
std::vector<Exercise> read_exercises() {
  const std::string_view begin = "// exercise ";
  std::vector<Exercise> table;
  std::istringstream lines{std::string(embed::exercises())};
  bool in_grader = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(begin)) {
      const std::size_t machine = line.find(" (");
      const std::size_t what = line.find("): ");
      table.push_back({line.substr(begin.size(), machine - begin.size()),
                       line.substr(machine + 2, what - machine - 2),
                       line.substr(what + 3, line.size() - what - 4),
                       {},
                       {}});
      in_grader = false;
    }
    in_grader = in_grader || line.starts_with("// marks of ");
    (in_grader ? table.back().grader : table.back().text) += line + '\n';
  }
  return table;
}

const std::vector<Exercise>& exercises() {
  static const std::vector<Exercise> table = read_exercises();
  return table;
}

const Exercise& find_exercise(const std::string& name, const std::string& remedy = "") {
  std::vector<std::string> known;
  for (const Exercise& exercise : exercises()) {
    if (exercise.name == name) return exercise;
    known.push_back(exercise.name);
  }
  throw UsageError(unknown_name("exercise", name, known).what() + remedy);
}

report::Report exercises_report() {
  const auto text = [](const char* key, const char* title, std::string Exercise::*member) {
    return report::Column<Exercise>{{key, title}, [member](const Exercise& exercise) {
                                      return report::Value(exercise.*member);
                                    }};
  };
  const std::vector<report::Column<Exercise>> columns = {
      text("exercise", "exercise", &Exercise::name), text("machine", "machine", &Exercise::machine),
      text("about", "about", &Exercise::what)};
  report::Report written;
  written.body.tables = {report::table("exercises", columns, exercises())};
  written.body.tables.front().csv = true;
  written.body.remarks = {
      "\nagpusim exercise start NAME writes NAME.hpp; fill the gap, then agpusim exercise grade "
      "NAME.hpp"};
  return written;
}

void run_start(const std::string& name) {
  const Exercise& exercise = find_exercise(name);
  const fs::path file = name + ".hpp";
  if (fs::exists(file)) {
    throw UsageError(
        fmt::format("{} exists already: nothing is overwritten, move it away", file.string()));
  }
  write_file(file, exercise.text);
  print(fmt::format("{}: fill the gap, then\n\n  agpusim exercise grade {}\n", file.string(),
                    file.string()));
}

/// A folder that lives as long as the object.
class Workplace {
 public:
  Workplace() {
    std::string name = (fs::temp_directory_path() / "agpusim-grade-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw IoError(fmt::format("cannot make a folder in {}: choose another with TMPDIR",
                                fs::temp_directory_path().string()));
    }
    path_ = name;
  }
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  [[nodiscard]] fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

/// The exit code of a shell command; 128 and the signal where one ended it. Throws Interrupted when
/// that was Ctrl-C, which this process does not see meanwhile.
int shell(const std::string& command) {
  const int status = std::system(command.c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (code == interrupted_exit_code) throw Interrupted{};
  return code;
}

std::string compiler() {
  const char* const named = std::getenv("CXX");
  for (const std::string& name : {std::string(named == nullptr ? "" : named), std::string("c++"),
                                  std::string("g++"), std::string("clang++")}) {
    if (!name.empty() && shell("command -v " + name + " > /dev/null") == 0) return name;
  }
  throw Unavailable(
      "grading compiles the answer, and no C++ compiler is found: install g++ 12 or newer, or name "
      "one with CXX");
}

/// Headers and libraries: those of the folders above this program, as built or as installed; else
/// those where it was built, or was to be installed.
std::string compiler_options() {
  std::vector<fs::path> roots;
  std::error_code none;  // the system does not say which file runs
  for (fs::path at = fs::read_symlink("/proc/self/exe", none); at.has_relative_path();) {
    roots.push_back(at = at.parent_path());
  }
  roots.insert(roots.end(), {AGPUSIM_BUILD_DIR, AGPUSIM_INSTALL_PREFIX});
  for (const fs::path& root : roots) {
    for (const auto& [headers, libraries] :
         {std::pair("include", "."), std::pair(AGPUSIM_INCLUDEDIR, AGPUSIM_LIBDIR)}) {
      if (!fs::exists(root / libraries / "libagpusim_model.a", none)) continue;
      return fmt::format(
          "-I{} $AGPUSIM_SOURCE -o $AGPUSIM_PROGRAM -L{} -lagpusim_validation -lagpusim_algorithms "
          "-lagpusim_model -lfmt -ltbb",
          quoted((root / headers).string()), quoted((root / libraries).string()));
    }
  }
  throw Unavailable(
      fmt::format("grading needs agpusim's headers and libraries, and neither a folder above this "
                  "program nor {} nor {} has them: build or install agpusim",
                  AGPUSIM_BUILD_DIR, AGPUSIM_INSTALL_PREFIX));
}

/// What lanes and views lack, in the compiler's words, and what to write instead. The model says
/// the rest itself (model/agpu/operands.hpp).
constexpr std::pair<const char*, const char*> remedies[] = {
    {"no match for 'operator[]' (operand types are 'agpusim::",
     "a view has no []: write in.read(index) and out.write(index, value)"},
    {"no match for 'operator-' (operand type is", "lanes have no unary minus: write 0 - x"},
    {"agpusim::Varying<bool>' to 'bool'",
     "each lane has a value of its own: write mp.when(condition, [&] { ... }) for `if`, "
     "mp.while_any for a loop, select for ?:"}};

/// The first error of the answer, else the first of all, with its remedy; and the two lines that
/// the compiler shows under the former.
std::vector<std::string> first_error(const std::string& said, const fs::path& file) {
  const std::string own = fs::absolute(file).string() + ':';
  std::string place;  // in the answer, of what leads to an error in a header
  std::vector<std::string> shown;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    const bool here =
        line.starts_with(own) && line.find_first_of("0123456789", own.size()) == own.size();
    if (here) {
      place = fmt::format("{}:{} ", file.filename().string(),
                          line.substr(own.size(), line.find(' ', own.size()) - own.size()));
    }
    const std::size_t at = line.find("error: ");
    if (at == std::string::npos && line.find("/ld: ") == std::string::npos) continue;
    if (!shown.empty() && !here) continue;
    std::string error = line.substr(at == std::string::npos ? 0 : at);
    if (const std::size_t reason = error.find("Refused<"); reason != std::string::npos) {
      const std::size_t begin = error.find('"', reason) + 1;
      error = "error: " + error.substr(begin, error.rfind('"') - begin);
      std::erase(error, '\\');
    }
    for (const auto& [words, remedy] : remedies) {
      if (error.find(words) != std::string::npos) error = fmt::format("error: {}", remedy);
    }
    shown = {place + error.substr(0, 400)};
    if (!here) continue;
    while (shown.size() < 3 && std::getline(lines, line)) shown.push_back(line.substr(0, 400));
    break;
  }
  if (shown.empty()) shown = {"error: the compiler names none"};
  return shown;
}

/// What the grading program returns where it came to its end, plus 1 where a mark is missing: an
/// answer that ends the program earns nothing.
constexpr int marked = 100;

void run_grade(const std::string& file, const std::string& as, std::uint64_t seed,
               const ReportOutput& output) {
  const Exercise& exercise =
      as.empty() ? find_exercise(fs::path(file).stem().string(), "; or say with --as which it is")
                 : find_exercise(as);
  (void)read_file(file);
  require_output(output, {file});
  const Workplace workplace;
  const fs::path source = workplace / "grade.cpp";
  const fs::path program = workplace / "grade";
  const fs::path errors = workplace / "errors";
  write_file(source, fmt::format("#include \"agpusim/validation/exercise/grade.hpp\"\n"
                                 "using namespace agpusim;\n"
                                 "#include AGPUSIM_ANSWER\n"
                                 "{}int main(int argc, char** argv) {{\n"
                                 "  return {} + exercise::grade(the_exercise(), argc, argv);\n"
                                 "}}\n",
                                 exercise.grader, marked));
  std::string options = compiler_options();
  const auto fill = [&](const std::string& name, const fs::path& path) {
    options.replace(options.find(name), name.size(), quoted(path.string()));
  };
  fill("$AGPUSIM_SOURCE", source);
  fill("$AGPUSIM_PROGRAM", program);
  const std::string compile = fmt::format(
      "LC_ALL=C {} -std=c++20 -O1 -w -DAGPUSIM_ANSWER={} {} > {} 2>&1", compiler(),
      quoted('"' + fs::absolute(file).string() + '"'), options, quoted(errors.string()));
  Progress progress;
  progress.show("compiling " + file);
  if (shell(compile) != 0) {
    const std::string said = read_file(errors);
    const std::vector<std::string> error = first_error(said, file);
    message(fmt::format("{}", fmt::join(error, "\n")));
    exercise::Marks marks{exercise.name, seed};
    marks.result = "it does not compile: " + error.front();
    marks.legality = "not marked before it compiles";
    report::Report unmarked = to_report(marks);
    unmarked.body.facts.push_back({{"compiler", ""}, said});
    if (output.json || output.csv || !output.html.empty()) put_report(unmarked, output);
    throw Mismatch(fmt::format("{} does not compile", file));
  }
  // At most 10 s of processor time and 4 GiB.
  const int code = shell(fmt::format("ulimit -t 10; ulimit -v 4194304; exec {} {} {} {}",
                                     quoted(program.string()), seed,
                                     output.json  ? "json"
                                     : output.csv ? "csv"
                                                  : "text",
                                     output.html.empty() ? "" : quoted(output.html)));
  if (code == marked) return;
  throw Mismatch(code == marked + 1
                     ? fmt::format("{}: not all marks are given", exercise.name)
                     : fmt::format("{} was stopped: it took more than 10 s or 4 GiB, or it "
                                   "broke off (code {})",
                                   file, code));
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

  const auto file = std::make_shared<std::string>();
  const auto as = std::make_shared<std::string>();
  const auto seed = std::make_shared<std::uint64_t>(1);
  CLI::App* const grade = add_command(*command, "grade", "compile, run and mark an answer");
  grade->add_option("file", *file, "the answer")->required();
  grade->add_option("--as", *as, "the exercise (default: the name of the file)")->type_name("NAME");
  add_seed(*grade, *seed, "of the hostile inputs");
  const auto marks = std::make_shared<ReportOutput>();
  add_report_options(*grade, *marks);
  grade->callback([file, as, seed, marks] { run_grade(*file, *as, *seed, *marks); });
  command->footer(
      "Example:\n"
      "  agpusim exercise start reverse && agpusim exercise grade reverse.hpp");
}

}  // namespace agpusim
