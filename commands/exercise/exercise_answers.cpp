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
/// names a folder or begins a file's name, also which participant, who has all that is in there.
struct Owner {
  std::string student;
  std::string participant;
};
Owner owner_of(const fs::path& file, const Exercises& exercises) {
  constexpr const char* of_moodle = "_assignsubmission";
  const fs::path path = fs::absolute(file);
  std::string name = path.parent_path().filename().string();
  for (fs::path up = path; up.has_relative_path(); up = up.parent_path()) {
    if (up.filename().string().find(of_moodle) != std::string::npos) name = up.filename().string();
  }
  if (const std::size_t at = name.find(of_moodle); at != std::string::npos) {
    name.erase(at);
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    return {without(name.substr(0, digits), ""), name.substr(digits)};
  }
  const exercise::Exercise* const named = exercise_in(exercises, name);
  return {without(name, named == nullptr ? "" : named->name), ""};
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
  const Owner owner = owner_of(file, exercises);
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

/// Unpacks an archive, named `archive` in messages, to a folder in `all`, whose files together must
/// not become too large.
void unpack(const fs::path& from, const std::string& archive, const fs::path& to,
            const fs::path& all, exercise::Workplace& workplace,
            const exercise::Process::Stop& stop) {
  fs::create_directories(to);
  exercise::Limits limits;
  limits.seconds = limits.processor_seconds = 60;
  limits.file = most_unpacked;
  bool too_large = false;
  const auto stops = [&] { return (too_large = bytes_in(all) > most_unpacked) || stop(); };
  const std::string path = fs::absolute(from).string();
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
      fs::remove_all(to);  // others of the same archive have room
      throw FileError(fmt::format("{} holds more than {} MiB", archive, most_unpacked >> 20));
    }
  }
  throw Unavailable(fmt::format(
      "{} is a zip archive, and none of unzip, bsdtar and python3 is here: install one, or unpack "
      "it and name the folder",
      archive));
}

/// The search for answers in files, folders and archives.
class Search {
 public:
  Search(const Exercises& exercises, const std::string& as, exercise::Workplace& workplace,
         const exercise::Process::Stop& stop)
      : exercises_(exercises), as_(as), workplace_(workplace), stop_(stop) {}

  void add(const fs::path& path) {
    if (is_archive(path)) {
      add_archive(path, {});
    } else if (fs::is_directory(path)) {
      add_folder(path.string(), path, {});
    } else {
      found.push_back(answer_in(path, exercises_, as_));
    }
  }
  void refuse(const fs::path& path, const std::string& why) {
    static const exercise::Exercise none{.name = "none"};
    const Owner owner = owner_of(path, exercises_);
    found.push_back({owner.participant.empty() ? path.stem().string() : owner.student, &none,
                     path.string(), owner.participant, why});
  }

  std::vector<FoundAnswer> found;

 private:
  /// Its path in messages; of what comes from an archive the path in there.
  [[nodiscard]] std::string shown(const fs::path& path) const {
    const fs::path inside = path.lexically_relative(workplace_ / "");
    if (inside.empty() || *inside.begin() == "..") return path.string();
    fs::path names;
    constexpr int of_places = 3;  // as add_archive() begins them
    for (auto part = std::next(inside.begin(), of_places); part != inside.end(); ++part)
      names /= *part;
    return names.string();
  }
  static bool is_archive(const fs::path& path) { return path.extension() == ".zip"; }

  /// `all`: what the outermost archive that it comes from is unpacked to; empty: it comes from
  /// none.
  void add_archive(const fs::path& archive, fs::path all) {
    constexpr int most_archives = 2000;
    if (++archives_ > most_archives) {
      throw FileError(fmt::format("{}: more than {} archives", archive.string(), most_archives));
    }
    const std::string number = fmt::format("zip{}", archives_);
    if (all.empty()) all = workplace_ / number;
    // Names of folders say whose it is.
    const fs::path to =
        all / number / fs::absolute(archive).parent_path().filename() / archive.stem();
    unpack(archive, shown(archive), to, all, workplace_, stop_);
    add_folder(shown(archive), to, all);
  }

  /// `all` as add_archive() has it.
  void add_folder(const std::string& path, const fs::path& folder, const fs::path& all) {
    std::vector<fs::path> files;
    std::vector<fs::path> others;
    const std::size_t before = found.size();
    for (const auto& entry :
         fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
      if (entry.is_symlink()) {
        message(fmt::format("{}: left out, a link", shown(entry.path())));
      } else if (!entry.is_regular_file() || entry.path().filename().string().starts_with('.')) {
        continue;
      } else if (is_source(entry.path()) || is_archive(entry.path())) {
        files.push_back(entry.path());
      } else {
        message(fmt::format("{}: left out, no source", shown(entry.path())));
        others.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      try {
        if (!is_archive(file)) {
          found.push_back(answer_in(file, exercises_, as_));
        } else {
          add_archive(file, all);
        }
      } catch (const Error& error) {
        if (error.code() == ExitCode::unavailable) throw;
        if (is_archive(file)) {  // one bad answer ends no class
          refuse(file, error.what());
        } else {
          message(fmt::format("{}: left out, its name holds no exercise: see --as", shown(file)));
          others.push_back(file);
        }
      }
    }
    if (found.size() == before) {
      throw UsageError(fmt::format(
          "{} holds no answer, a file that ends in .hpp or .cu and names an exercise", path));
    }
    for (const fs::path& other : others) {
      const std::string participant = owner_of(other, exercises_).participant;
      if (participant.empty()) continue;
      if (std::ranges::find(found, participant, &FoundAnswer::participant) == found.end())
        refuse(other,
               shown(other) + " is no answer: that ends in .hpp or .cu, and names an exercise");
    }
  }

  const Exercises& exercises_;
  const std::string& as_;
  exercise::Workplace& workplace_;
  const exercise::Process::Stop& stop_;
  int archives_ = 0;
};

}  // namespace

std::vector<FoundAnswer> find_answers(const Exercises& exercises,
                                      const std::vector<std::string>& paths, const std::string& as,
                                      exercise::Workplace& workplace,
                                      const exercise::Process::Stop& stop) {
  if (!as.empty()) static_cast<void>(find_exercise(exercises, as));
  Search search(exercises, as, workplace, stop);
  for (const std::string& path : paths) {
    try {
      search.add(path);
    } catch (const Error& error) {
      if (paths.size() == 1 || error.code() == ExitCode::unavailable) throw;
      search.refuse(path, error.what());
    }
  }
  return std::move(search.found);
}

}  // namespace agpusim
