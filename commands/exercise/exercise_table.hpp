#pragma once

#include <string>
#include <vector>

#include "agpusim/commands/exercise/grade.hpp"

namespace agpusim {

/// Adds exercises of exercises/. Defined in units that exercises/exercises.cmake generates.
void add_exercises_1(std::vector<exercise::Exercise>& all);
void add_exercises_2(std::vector<exercise::Exercise>& all);
void add_exercises_3(std::vector<exercise::Exercise>& all);
void add_exercises_4(std::vector<exercise::Exercise>& all);

/// The bundled exercises in the order of the course.
[[nodiscard]] const std::vector<exercise::Exercise>& bundled_exercises();

/// The exercise that lies in a folder. Throws FileError that names the file that is missing or has
/// no heading.
[[nodiscard]] exercise::Exercise exercise_of_folder(const std::string& folder);

/// The bundled ones, and those in `folders`, each of which is an exercise or holds some. Throws
/// FileError, and UsageError where a name is taken.
[[nodiscard]] std::vector<exercise::Exercise> exercises_with(
    const std::vector<std::string>& folders);

/// Throws UsageError that lists those there are.
[[nodiscard]] const exercise::Exercise& find_exercise(const std::vector<exercise::Exercise>& all,
                                                      const std::string& name,
                                                      const std::string& remedy = "");

/// The first line of an exercise's file: "// exercise NAME (MACHINE): ABOUT."
struct ExerciseHeading {
  std::string name;  ///< empty: it is no such line
  std::string machine;
  std::string about;
};
[[nodiscard]] ExerciseHeading exercise_heading(const std::string& text);

}  // namespace agpusim
