#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/cli/report_output.hpp"
#include "agpusim/commands/exercise/exercise_answers.hpp"

namespace agpusim {

struct GradeRequest {
  std::vector<std::string> paths;  ///< files, folders and zip archives
  std::vector<std::string> with;   ///< folders of a teacher's exercises
  std::string as;                  ///< the exercise; empty: by the names
  std::uint64_t seed = 1;
  int threads = 0;   ///< 0: all cores
  int seconds = 20;  ///< seconds that an answer may take
  bool verbose = false;
  std::string pages;       ///< folder for a page per answer; empty: none
  std::string moodle;      ///< file of grades; empty: none
  std::string gradescope;  ///< file of results; empty: none
  ReportOutput output;
};

struct MarkedAnswer {
  FoundAnswer answer;
  exercise::Marks marks;
};

/// Marks answers on all threads; of those that Ctrl-C leaves out there are none. Throws Interrupted
/// where it leaves none.
[[nodiscard]] std::vector<MarkedAnswer> mark_answers(const std::vector<FoundAnswer>& answers,
                                                     const GradeRequest& request,
                                                     exercise::Workplace& workplace);
[[nodiscard]] report::Report table_of(const std::vector<MarkedAnswer>& all, std::uint64_t seed,
                                      std::size_t found);

/// Marks one answer as it is, several as a table.
void run_grade(const GradeRequest& request);

}  // namespace agpusim
