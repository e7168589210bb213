#pragma once

#include <string>
#include <vector>

#include "agpusim/validation/exercise/grade.hpp"

namespace agpusim {

/// Adds exercises of exercises/. Defined in units that exercises/exercises.cmake generates.
void add_exercises_1(std::vector<exercise::Exercise>& all);
void add_exercises_2(std::vector<exercise::Exercise>& all);
void add_exercises_3(std::vector<exercise::Exercise>& all);
void add_exercises_4(std::vector<exercise::Exercise>& all);

/// The exercises in the order of the course.
[[nodiscard]] const std::vector<exercise::Exercise>& exercises();

/// Throws UsageError that lists those there are.
[[nodiscard]] const exercise::Exercise& find_exercise(const std::string& name,
                                                      const std::string& remedy = "");

}  // namespace agpusim
