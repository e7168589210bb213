#pragma once

#include <string>
#include <vector>

#include "agpusim/commands/exercise/exercise_grade.hpp"

namespace agpusim {

/// Writes what Moodle's assignments take as an offline grading worksheet: a line for each student,
/// the marks of all answers together.
void put_moodle(const std::vector<MarkedAnswer>& all, const std::string& file);
/// Writes the results.json of Gradescope's autograder, for the submission of one student: three
/// tests for each exercise.
void put_gradescope(const std::vector<MarkedAnswer>& all, const std::string& file);

}  // namespace agpusim
