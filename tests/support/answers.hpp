#pragma once

#include "agpusim/commands/exercise/grade.hpp"

namespace agpusim::test {

/// A file of exercises/<exercise>: exercise (the gap), solution, or wrong_<something>.
struct Answer {
  std::string exercise;
  std::string name;
  std::string lost;  ///< the mark: "result", "legality", "cost", "none" or "any"
  std::string file;
  exercise::Ask ask;
};

// Defined in units that cmake/AgpusimAnswers.cmake generates.
void add_answers_1(std::vector<Answer>& all);
void add_answers_2(std::vector<Answer>& all);
void add_answers_3(std::vector<Answer>& all);
void add_answers_4(std::vector<Answer>& all);

}  // namespace agpusim::test
