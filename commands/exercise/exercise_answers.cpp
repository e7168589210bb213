#include "agpusim/commands/exercise/exercise_answers.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

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

/// The folder of an answer says whose it is; "Ann Lee_12345_assignsubmission_file_", as Moodle
/// names it, also which participant that is.
struct Owner {
  std::string student;
  std::string participant;
};
Owner owner_of(const fs::path& folder, const Exercises& exercises) {
  std::string name = folder.filename().string();
  std::string participant;
  if (const std::size_t at = name.find("_assignsubmission"); at != std::string::npos) {
    name.erase(at);
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    participant = name.substr(digits);
    name.erase(digits);
  }
  const exercise::Exercise* const named = exercise_in(exercises, name);
  return {without(name, named == nullptr ? "" : named->name), participant};
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
  const Owner owner = owner_of(folder, exercises);
  std::string student = without(stem, exercise->name);
  if (student.empty() || student == "solution" || student == "answer" ||
      !owner.participant.empty()) {
    student = owner.student;
  }
  if (student.empty()) student = stem;
  if (std::string_view("=+-@").find(student.front()) != std::string_view::npos) {
    student.insert(0, "'");  // tables take it for a formula
  }
  const bool quoted = file.string().find_first_of("\"\\\n") != std::string::npos;
  return {student, exercise, file.string(), owner.participant,
          quoted ? "its name has a quotation mark: give the file another one" : ""};
}

bool is_source(const fs::path& file) {
  const std::set<std::string> endings = {".hpp", ".h", ".hh", ".cpp", ".cc", ".cu", ".txt"};
  return endings.contains(file.extension().string()) && !file.filename().string().starts_with('.');
}

/// Bytes of an archive's files.
constexpr std::uintmax_t most_unpacked = std::uintmax_t{1} << 26;

std::uintmax_t bytes_in(const fs::path& folder) {
  std::uintmax_t sum = 0;
  std::error_code gone;
  for (const auto& entry : fs::recursive_directory_iterator(folder, gone)) {
    const std::uintmax_t bytes = entry.is_regular_file(gone) ? entry.file_size(gone) : 0;
    sum += gone ? 0 : bytes;
  }
  return sum;
}

void unpack(const std::string& archive, const fs::path& to, exercise::Workplace& workplace,
            const exercise::Process::Stop& stop) {
  fs::create_directory(to);
  exercise::Limits limits;
  limits.seconds = limits.processor_seconds = 60;
  limits.file = most_unpacked;
  bool too_large = false;
  const auto stops = [&] { return (too_large = bytes_in(to) > most_unpacked) || stop(); };
  const std::string path = fs::absolute(archive).string();
  const std::vector<std::vector<std::string>> tools = {
      {"unzip", "-qq", "-o", path, "-d", to.string()},
      {"bsdtar", "-x", "-f", path, "-C", to.string()},
      {"python3", "-m", "zipfile", "-e", path, to.string()}};
  for (const std::vector<std::string>& tool : tools) {
    try {
      exercise::Process process(tool, limits, workplace, stops, to.string() + ".log");
      const int code = process.wait();
      const bool is_done = code == 0 || (code == 1 && tool[0] == "unzip");  // 1: with warnings
      if (is_done && !stops()) return;
      if (!is_done && code != 127)
        throw FileError(fmt::format("{} is no zip archive that {} reads", archive, tool[0]));
    } catch (const exercise::Stopped& stopped) {
      throw FileError(fmt::format("{}: {}", archive, stopped.what()));
    } catch (const exercise::StoppedByUser&) {
      if (!too_large) throw;
    }
    if (too_large) {
      throw FileError(fmt::format("{} holds more than {} MiB", archive, most_unpacked >> 20));
    }
  }
  throw Unavailable(fmt::format(
      "{} is a zip archive, and none of unzip, bsdtar and python3 is here: install one, or unpack "
      "it and name the folder",
      archive));
}

}  // namespace

/// The answers of a path.
void add_answers(const std::string& path, const fs::path& folder, const Exercises& exercises,
                 const std::string& as, std::vector<FoundAnswer>& answers) {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    if (entry.is_symlink()) {
      message(fmt::format("{}: left out, a link", entry.path().string()));
    } else if (entry.is_regular_file() && is_source(entry.path())) {
      files.push_back(entry.path());
    } else if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.')) {
      message(fmt::format("{}: left out, no source and not unpacked", entry.path().string()));
    }
  }
  if (files.empty())
    throw UsageError(fmt::format("{} holds no answer, a file that ends in .hpp or .cu", path));
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    try {
      answers.push_back(answer_in(file, exercises, as));
    } catch (const UsageError&) {
      message(fmt::format("{}: left out, its name holds no exercise: see --as", file.string()));
    }
  }
}

std::vector<FoundAnswer> find_answers(const Exercises& exercises,
                                      const std::vector<std::string>& paths, const std::string& as,
                                      exercise::Workplace& workplace,
                                      const exercise::Process::Stop& stop) {
  if (!as.empty()) static_cast<void>(find_exercise(exercises, as));
  std::vector<FoundAnswer> answers;
  int archives = 0;
  static const exercise::Exercise none{.name = "none"};
  for (const std::string& path : paths) {
    try {
      fs::path folder = path;
      if (fs::path(path).extension() == ".zip") {
        folder = workplace / fmt::format("zip{}", ++archives);
        unpack(path, folder, workplace, stop);
      }
      if (fs::is_directory(folder)) {
        add_answers(path, folder, exercises, as, answers);
      } else {
        answers.push_back(answer_in(path, exercises, as));
      }
    } catch (const Error& error) {
      if (paths.size() == 1 || error.code() == ExitCode::unavailable) throw;
      answers.push_back({fs::path(path).stem().string(), &none, path, "", error.what()});
    }
  }
  return answers;
}

}  // namespace agpusim
