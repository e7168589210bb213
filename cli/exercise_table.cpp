#include "agpusim/cli/exercise_table.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>

#include "agpusim/cli/suggest.hpp"
#include "agpusim/model/error.hpp"

#include "embed/exercises.hpp"

namespace agpusim {
namespace {

/// The parts of the embedded text: "// exercise NAME (" begins an exercise's file, "// start of
/// NAME" what starts an answer.
std::vector<exercise::Exercise> read_exercises() {
  std::vector<exercise::Exercise> judges;
  add_exercises_1(judges);
  add_exercises_2(judges);
  add_exercises_3(judges);
  add_exercises_4(judges);
  const std::string_view begin = "// exercise ";
  std::vector<exercise::Exercise> table;
  std::string* part = nullptr;
  std::istringstream lines{std::string(embed::exercises())};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(begin)) {
      const std::string name = line.substr(begin.size(), line.find(" (") - begin.size());
      table.push_back(*std::find_if(judges.begin(), judges.end(),
                                    [&](const auto& judge) { return judge.name == name; }));
      part = &table.back().start;
    } else if (line.starts_with("// start of ")) {
      part = &table.back().launch;
    }
    *part += line + '\n';
  }
  return table;
}

}  // namespace

const std::vector<exercise::Exercise>& exercises() {
  static const std::vector<exercise::Exercise> table = read_exercises();
  return table;
}

const exercise::Exercise& find_exercise(const std::string& name, const std::string& remedy) {
  std::vector<std::string> known;
  for (const exercise::Exercise& exercise : exercises()) {
    if (exercise.name == name) return exercise;
    known.push_back(exercise.name);
  }
  throw UsageError(unknown_name("exercise", name, known).what() + remedy);
}

}  // namespace agpusim
