#include "agpusim/commands/exercise/exercise_compiler.hpp"

#include <cstdlib>
#include <regex>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "agpusim/cli/compiler_errors.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/program_folders.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

constexpr const char* common =
    "#include \"agpusim/commands/exercise/answer.hpp\"\n"
    "using namespace agpusim;\n";

bool is_there(const std::string& compiler) {
  return std::system(("command -v " + compiler + " > /dev/null 2>&1").c_str()) == 0;
}

std::string find_compiler() {
  const char* const named = std::getenv("CXX");
  for (const std::string& name : {std::string(named == nullptr ? "" : named), std::string("c++"),
                                  std::string("g++"), std::string("clang++")}) {
    if (!name.empty() && is_there(name)) return name;
  }
  throw Unavailable(
      "grading compiles the answer, and no C++ compiler is found: install g++ 12 or newer, or name "
      "one with CXX");
}

/// Headers and libraries: those of the folders above this program, as built or as installed; else
/// those where it was built, or was to be installed.
std::pair<std::string, std::string> find_agpusim() {
  std::vector<fs::path> roots = folders_above_program();
  std::error_code none;
  roots.insert(roots.end(), {AGPUSIM_BUILD_DIR, AGPUSIM_INSTALL_PREFIX});
  for (const fs::path& root : roots) {
    for (const auto& [headers, libraries] :
         {std::pair("include", "."), std::pair(AGPUSIM_INCLUDEDIR, AGPUSIM_LIBDIR)}) {
      if (!fs::exists(root / libraries / "libagpusim_model.a", none)) continue;
      return {(root / headers).string(), (root / libraries).string()};
    }
  }
  throw Unavailable(
      fmt::format("grading needs agpusim's headers and libraries, and neither a folder above this "
                  "program nor {} has them: build or install agpusim (as a package: agpusim-dev)",
                  AGPUSIM_INSTALL_PREFIX));
}

/// What runs an answer to the exercise, in C++ where agpusim::exercise is known.
const char* runner_of(const exercise::Exercise& exercise) {
  return exercise.launch.empty() ? "Solve(solve)" : "Launch(launch)";
}

/// Takes from an answer the macros that have names of `code`, which stands behind it. Names in
/// capitals may be macros of headers.
std::string without_macros(const std::string& code) {
  static const std::regex name(R"([A-Za-z_]*[a-z]\w*)");
  static const std::regex no_macro("and|or|not|xor|compl|bitand|bitor|(and|or|not|xor)_eq|defined");
  std::string lines;
  for (std::sregex_iterator at(code.begin(), code.end(), name), end; at != end; ++at) {
    if (!std::regex_match(at->str(), no_macro)) lines += fmt::format("#undef {}\n", at->str());
  }
  return lines;
}

/// A judge whose exercise lies in a folder; its arguments are agpusim and the solution in PTX.
std::string cuda_judge_of(const std::string& folder) {
  return fmt::format(
      "#include <algorithm>\n#include <numeric>\n"
      "#include \"agpusim/commands/exercise/process.hpp\"\n"
      "#include \"agpusim/commands/exercise/trials.hpp\"\n"
      "#include \"{0}/judge.hpp\"\n"
      "int main(int, char** argv) {{\n  using namespace agpusim::exercise;\n"
      "  Workplace workplace;\n"
      "  Process solution({{argv[1], \"exercise\", \"run-kernels\", argv[2]}}, {{}}, workplace,\n"
      "                   [] {{ return false; }});\n"
      "  const Ask ask = [&](const std::string& request) {{ return solution.ask(request); }};\n"
      "  return serve([&](const std::string& asked) {{\n"
      "    return reply_with([&](std::uint64_t seed) {{ return draw_trials(judge(), ask, seed); "
      "}},\n"
      "                      asked);\n  }});\n}}\n",
      folder);
}

}  // namespace

std::vector<std::string> engine_of(const std::string& agpusim, const std::string& ptx) {
  return {agpusim, "exercise", "run-kernels", ptx};
}

void AnswerCompiler::prepare() {
  std::call_once(prepared_, [&] {
    compiler_ = find_compiler();
    std::tie(headers_, libraries_) = find_agpusim();
    write_file(workplace_ / "common.hpp", common);
  });
}

std::string AnswerCompiler::run_cpp(const std::vector<std::string>& arguments,
                                    const std::string& log) {
  // CXX may be several words.
  std::vector<std::string> command = {"/bin/sh", "-c", "exec " + compiler_ + " \"$@\"", "sh"};
  command.insert(command.end(), {"-std=c++20", "-O0", "-w", "-I" + headers_});
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command, log);
}

std::string AnswerCompiler::run(const std::vector<std::string>& command, const std::string& log) {
  exercise::Limits limits;
  limits.seconds = 60;
  limits.processor_seconds = 30;
  limits.file = std::int64_t{1} << 28;
  limits.open_files = 1024;
  try {
    exercise::Process process(command, limits, workplace_, stop_, log);
    const int code = process.wait();
    if (code == 0) return "";
    if (code == 130) throw exercise::StoppedByUser{};
    const std::string said = read_file(log);
    return said.empty() ? fmt::format("error: the compiler ended with code {}\n", code) : said;
  } catch (const exercise::Stopped& stopped) {
    return fmt::format("error: the compiler took too much: {}\n", stopped.what());
  }
}

void AnswerCompiler::precompile() {
  prepare();
  const std::string said = run_cpp({"-x", "c++-header", (workplace_ / "common.hpp").string(), "-o",
                                    (workplace_ / "common.hpp.gch").string()},
                                   (workplace_ / "common.log").string());
  if (!said.empty()) throw Unavailable("the compiler refuses agpusim's headers:\n" + said);
}

std::string AnswerCompiler::compile(const exercise::Exercise& exercise, const std::string& file,
                                    const std::string& program) {
  const std::string path = fs::absolute(file).string();
  if (!exercise.cuda_solution.empty()) return make_ptx(path, program);
  if (std::string word = forbidden_word(read_file(file), path); !word.empty()) return word;
  const std::string judge = fmt::format(
      "{}int main() {{\n  using namespace agpusim::exercise;\n"
      "  return serve_answer({});\n}}\n",
      exercise.launch, runner_of(exercise));
  const std::string names = exercise.folder.empty() || exercise.launch.empty()
                                ? judge
                                : judge + read_file((exercise.folder / "launch.hpp").string());
  return make(fmt::format("#include \"{}\"\n{}{}", path, without_macros(names), judge), program);
}

std::string AnswerCompiler::make_ptx(const std::string& file, const std::string& ptx) {
  if (std::string line = forbidden_directive(read_file(file), file); !line.empty()) return line;
  const std::string log = ptx + ".log";
  const std::string unit = ptx + ".unit.cu";  // nvcc hands names of sources to a shell
  write_file(unit, fmt::format("#include \"{}\"\n", file));
  static const bool has_nvcc = is_there("nvcc");
  if (!has_nvcc) return run({this_program().string(), "cc", "-ptx", unit, "-o", ptx}, log);
  const std::string said =
      run({"nvcc", "-ptx", "-arch=sm_90", "-lineinfo", "-std=c++17", "-w", unit, "-o", ptx}, log);
  // "answer.cu(12): error: ..." as other compilers say it
  return std::regex_replace(said, std::regex(R"(\((\d{1,9})\): error)"), ":$1:1: error");
}

exercise::Trials AnswerCompiler::trials(const exercise::Exercise& exercise, std::uint64_t seed) {
  const std::string ptx = (workplace_ / (exercise.name + ".ptx")).string();
  const bool cuda = !exercise.cuda_solution.empty();
  if (cuda) {
    const std::string source = (workplace_ / (exercise.name + ".cu")).string();
    write_file(source, exercise.cuda_solution);
    if (const std::string said = make_ptx(source, ptx); !said.empty()) {
      const std::string first = first_error(said, source).front();
      if (exercise.folder.empty()) {
        throw Unavailable(
            fmt::format("grading compiles CUDA, and the compiler here does not take agpusim's own "
                        "solution of {}: {}; install nvcc with g++, or clang",
                        exercise.name, first));
      }
      throw FileError(fmt::format("the solution of {} does not compile: {}", exercise.name, first));
    }
  }
  exercise::Limits limits;
  limits.seconds = limits.processor_seconds = 60;
  if (exercise.folder.empty()) {
    if (!cuda) return exercise.trials(exercise.solution, seed);
    exercise::Process engine(engine_of(this_program().string(), ptx), limits, workplace_, stop_);
    return exercise.trials([&](const std::string& request) { return engine.ask(request); }, seed);
  }
  const std::string program = (workplace_ / ("judge_of_" + exercise.name)).string();
  const std::string folder = exercise.folder.string();
  const std::string said =
      make(!exercise.cuda_solution.empty()
               ? cuda_judge_of(folder)
               : fmt::format("#include <algorithm>\n#include <numeric>\n"
                             "#include \"agpusim/algorithms/common/pram/logarithms.hpp\"\n"
                             "#include \"agpusim/commands/exercise/trials.hpp\"\n"
                             "#include \"{0}/solution.hpp\"\n{1}#include \"{0}/judge.hpp\"\n"
                             "int main() {{\n  using namespace agpusim::exercise;\n"
                             "  return serve([](const std::string& asked) {{\n"
                             "    return reply_with([](std::uint64_t seed) {{\n"
                             "      return draw_trials(judge(), [](const std::string& request) {{\n"
                             "        return reply_to(request, {2});\n      }}, seed);\n"
                             "    }}, asked);\n  }});\n}}\n",
                             folder, exercise.launch, runner_of(exercise)),
           program);
  if (!said.empty()) {
    const std::string file = file_of_error('\n' + said, folder + '/');
    throw FileError(fmt::format("the judge and the solution in {} do not compile: {}", folder,
                                first_error(said, file.empty() ? folder : file).front()));
  }
  try {
    exercise::Process process({program, this_program().string(), ptx}, limits, workplace_, stop_);
    return exercise::ask_for_trials(
        [&](const std::string& request) { return process.ask(request); }, seed);
  } catch (const exercise::Broken& broken) {
    throw FileError(fmt::format("{}/judge.hpp: {}", folder, broken.what()));
  } catch (const exercise::Stopped& stopped) {
    throw FileError(fmt::format("{}/judge.hpp: {}", folder, stopped.what()));
  }
}

std::string AnswerCompiler::make(const std::string& text, const std::string& program) {
  prepare();
  const std::string source = program + ".cpp";
  write_file(source, text);
  return run_cpp({"-include", (workplace_ / "common.hpp").string(), source, "-o", program,
                  "-L" + libraries_, "-lagpusim_validation", "-lagpusim_model", "-lfmt", "-ltbb"},
                 program + ".log");
}

}  // namespace agpusim
