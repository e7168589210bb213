#pragma once

#include <string>
#include <vector>

#include "agpusim/commands/exercise/grade.hpp"
#include "agpusim/commands/exercise/process.hpp"

namespace agpusim {

struct FoundAnswer {
  std::string student;
  const exercise::Exercise* exercise = nullptr;
  std::string file;
  std::string participant = {};  ///< number that Moodle gave the student; empty: it is not known
  std::string refused = {};      ///< why it is not marked; empty: it is
};

/// The answers to `exercises` in files, folders and zip archives, which are unpacked in
/// `workplace`. A name holds the exercise, the rest of it or of the folder's name is the student.
/// Of several paths, one that holds no answer is refused. Throws UsageError where the only path
/// holds none or a file names no exercise.
[[nodiscard]] std::vector<FoundAnswer> find_answers(
    const std::vector<exercise::Exercise>& exercises, const std::vector<std::string>& paths,
    const std::string& as, exercise::Workplace& workplace, const exercise::Process::Stop& stop);

}  // namespace agpusim
