#include "agpusim/commands/exercise/exercise_table.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "agpusim/cli/suggest.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

#include "embed/exercises.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

/// The parts of the embedded text: a heading begins an exercise's file, "// start of NAME" what
/// starts an answer, "# solution of NAME" the values that answer a question, "// solution of NAME"
/// the solution of one in CUDA.
std::vector<exercise::Exercise> read_exercises() {
  std::vector<exercise::Exercise> judges;
  add_exercises_1(judges);
  add_exercises_2(judges);
  add_exercises_3(judges);
  add_exercises_4(judges);
  std::vector<exercise::Exercise> table;
  std::map<std::string, std::string> solutions;
  std::string* part = nullptr;
  std::istringstream lines{std::string(embed::exercises())};
  for (std::string line; std::getline(lines, line);) {
    if (const std::string name = exercise_heading(line).name; !name.empty()) {
      const auto judge =
          std::find_if(judges.begin(), judges.end(),
                       [&](const exercise::Exercise& one) { return one.name == name; });
      table.push_back(judge == judges.end() ? exercise::Exercise{.name = name} : *judge);
      part = &table.back().start;
    } else if (line.starts_with("// start of ")) {
      part = &table.back().launch;
    } else if (line.starts_with("# solution of ")) {
      part = &solutions[table.back().name];
    } else if (line.starts_with("// solution of ")) {
      part = &table.back().cuda_solution;
    }
    *part += line + '\n';
  }
  for (exercise::Exercise& exercise : table) {
    exercise.values = exercise::read_values(solutions[exercise.name]);
  }
  return table;
}

}  // namespace

ExerciseHeading exercise_heading(const std::string& text) {
  static const std::regex form("(?://|#) exercise ([a-z][a-z0-9_]*) \\(([^)]*)\\): (.*)\\.");
  std::smatch match;
  const std::string line = text.substr(0, text.find('\n'));
  if (!std::regex_match(line, match, form)) return {};
  return {match[1], match[2], match[3]};
}

const std::vector<exercise::Exercise>& bundled_exercises() {
  static const std::vector<exercise::Exercise> table = read_exercises();
  return table;
}

exercise::Exercise exercise_of_folder(const std::string& folder) {
  const fs::path path = fs::absolute(folder);
  const bool question = fs::exists(path / "exercise.txt");
  const bool cuda = fs::exists(path / "exercise.cu");
  const std::vector<const char*> files =
      question ? std::vector{"exercise.txt", "solution.txt"}
      : cuda   ? std::vector{"exercise.cu", "judge.hpp", "solution.cu"}
               : std::vector{"exercise.hpp", "judge.hpp", "solution.hpp"};
  for (const char* const file : files) {
    if (fs::exists(path / file)) continue;
    throw IoError(
        fmt::format("{} has no {}: `agpusim exercise new NAME` writes what an exercise is made of",
                    folder, file));
  }
  exercise::Exercise exercise;
  exercise.start = read_file(path / files.front());
  try {
    if (question) exercise.values = exercise::read_values(read_file(path / "solution.txt"));
  } catch (const exercise::Broken& broken) {
    throw FileError(fmt::format("{}/solution.txt: {}", folder, broken.what()));
  }
  if (cuda) exercise.cuda_solution = read_file(path / "solution.cu");
  exercise.name = exercise_heading(exercise.start).name;
  exercise.folder = path;
  if (fs::exists(path / "launch.hpp")) {
    exercise.launch = fmt::format("#include \"{}\"\n", (path / "launch.hpp").string());
  }
  if (exercise.name.empty()) {
    throw FileError(
        fmt::format("{}:1: must be \"// exercise NAME (MACHINE): what it is about.\", with a name "
                    "of lower-case "
                    "letters, digits and '_'",
                    (fs::path(folder) / files.front()).string()));
  }
  return exercise;
}

std::vector<exercise::Exercise> exercises_with(const std::vector<std::string>& folders) {
  std::vector<exercise::Exercise> all = bundled_exercises();
  std::vector<std::string> found;
  for (const std::string& folder : folders) {
    std::vector<std::string> inside;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
      const fs::path path = entry.path();
      const auto has = [&](const char* file) { return fs::exists(path / file); };
      if (has("exercise.hpp") || has("exercise.txt") || has("exercise.cu")) {
        inside.push_back(path.string());
      }
    }
    std::sort(inside.begin(), inside.end());
    if (inside.empty()) inside = {folder};
    found.insert(found.end(), inside.begin(), inside.end());
  }
  for (const std::string& folder : found) {
    exercise::Exercise exercise = exercise_of_folder(folder);
    const auto same = std::find_if(all.begin(), all.end(), [&](const exercise::Exercise& other) {
      return other.name == exercise.name;
    });
    if (same != all.end()) {
      throw UsageError(
          fmt::format("{}: there is another exercise {}: change the name in line 1 of "
                      "its exercise.hpp",
                      folder, exercise.name));
    }
    all.push_back(std::move(exercise));
  }
  return all;
}

const exercise::Exercise& find_exercise(const std::vector<exercise::Exercise>& all,
                                        const std::string& name, const std::string& remedy) {
  std::vector<std::string> known;
  for (const exercise::Exercise& exercise : all) {
    if (exercise.name == name) return exercise;
    known.push_back(exercise.name);
  }
  throw UsageError(unknown_name("exercise", name, known).what() + remedy);
}

}  // namespace agpusim
