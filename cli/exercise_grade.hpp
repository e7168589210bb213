#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/cli/report_output.hpp"

namespace agpusim {

struct GradeRequest {
  std::vector<std::string> paths;  ///< files, folders and zip archives
  std::string as;                  ///< the exercise; empty: by the names
  std::uint64_t seed = 1;
  int threads = 0;   ///< 0: all cores
  int seconds = 20;  ///< that an answer may take
  bool verbose = false;
  std::string pages;  ///< folder for a page per answer; empty: none
  ReportOutput output;
};

/// Marks one answer as it is, several as a table.
void run_grade(const GradeRequest& request);

}  // namespace agpusim
