#include "agpusim/commands/exercise/exercise_answers.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/exercise/exercise_table.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

using Exercises = std::vector<exercise::Exercise>;

/// The exercise with the longest name that `name` holds; null: none.
const exercise::Exercise* exercise_in(const Exercises& exercises, const std::string& name) {
  const exercise::Exercise* found = nullptr;
  for (const exercise::Exercise& exercise : exercises) {
    const bool longer = found == nullptr || exercise.name.size() > found->name.size();
    if (longer && name.find(exercise.name) != std::string::npos) found = &exercise;
  }
  return found;
}

std::string without(std::string name, const std::string& part) {
  if (const std::size_t at = name.rfind(part); !part.empty() && at != std::string::npos) {
    name.erase(at, part.size());
  }
  const auto trims = [](char c) { return c == '_' || c == '-' || c == ' ' || c == '.'; };
  while (!name.empty() && trims(name.back())) name.pop_back();
  while (!name.empty() && trims(name.front())) name.erase(0, 1);
  return name;
}

/// "Ann Lee_12345_assignsubmission_file_", as Moodle names folders, is Ann Lee's.
std::string student_of_folder(const fs::path& folder, const Exercises& exercises) {
  std::string name = folder.filename().string();
  if (const std::size_t at = name.find("_assignsubmission"); at != std::string::npos) {
    name.erase(at);
    while (!name.empty() && std::isdigit(static_cast<unsigned char>(name.back()))) name.pop_back();
  }
  const exercise::Exercise* const named = exercise_in(exercises, name);
  return without(name, named == nullptr ? "" : named->name);
}

FoundAnswer answer_in(const fs::path& file, const Exercises& exercises, const std::string& as) {
  const std::string stem = file.stem().string();
  const fs::path folder = fs::absolute(file).parent_path();
  const exercise::Exercise* exercise =
      as.empty() ? exercise_in(exercises, stem) : &find_exercise(exercises, as);
  if (exercise == nullptr) exercise = exercise_in(exercises, folder.filename().string());
  if (exercise == nullptr) {
    exercise = &find_exercise(exercises, stem, "; or say with --as which it is");
  }
  std::string student = without(stem, exercise->name);
  if (student.empty() || student == "solution" || student == "answer") {
    student = student_of_folder(folder, exercises);
  }
  if (student.empty()) student = stem;
  return {student, exercise, file.string()};
}

bool is_source(const fs::path& file) {
  const std::set<std::string> endings = {".hpp", ".h", ".hh", ".cpp", ".cc", ".cu", ".txt"};
  return endings.contains(file.extension().string()) && !file.filename().string().starts_with('.');
}

void unpack(const std::string& archive, const fs::path& to, exercise::Workplace& workplace,
            const exercise::Process::Stop& stop) {
  fs::create_directory(to);
  exercise::Limits limits;
  limits.seconds = limits.processor_seconds = 60;
  limits.file = std::int64_t{1} << 26;
  const std::string path = fs::absolute(archive).string();
  const std::vector<std::vector<std::string>> tools = {
      {"unzip", "-qq", "-o", path, "-d", to.string()},
      {"bsdtar", "-x", "-f", path, "-C", to.string()},
      {"python3", "-m", "zipfile", "-e", path, to.string()}};
  for (const std::vector<std::string>& tool : tools) {
    exercise::Process process(tool, limits, workplace, stop, to.string() + ".log");
    const int code = process.wait();
    if (code == 0) return;
    if (code != 127)
      throw FileError(fmt::format("{} is no zip archive that {} reads", archive, tool[0]));
  }
  throw Unavailable(fmt::format(
      "{} is a zip archive, and none of unzip, bsdtar and python3 is here: install one, or unpack "
      "it and name the folder",
      archive));
}

}  // namespace

std::vector<FoundAnswer> find_answers(const Exercises& exercises,
                                      const std::vector<std::string>& paths, const std::string& as,
                                      exercise::Workplace& workplace,
                                      const exercise::Process::Stop& stop) {
  if (!as.empty()) static_cast<void>(find_exercise(exercises, as));
  std::vector<FoundAnswer> answers;
  int archives = 0;
  for (const std::string& path : paths) {
    fs::path folder = path;
    if (fs::path(path).extension() == ".zip") {
      folder = workplace / fmt::format("zip{}", ++archives);
      unpack(path, folder, workplace, stop);
    }
    if (!fs::is_directory(folder)) {
      answers.push_back(answer_in(path, exercises, as));
      continue;
    }
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file() && is_source(entry.path())) files.push_back(entry.path());
    }
    if (files.empty()) {
      throw UsageError(fmt::format("{} holds no answer, a file that ends in .hpp", path));
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      try {
        answers.push_back(answer_in(file, exercises, as));
      } catch (const UsageError&) {
        message(fmt::format("{}: left out, its name holds no exercise: see --as", file.string()));
      }
    }
  }
  return answers;
}

}  // namespace agpusim
