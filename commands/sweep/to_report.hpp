#pragma once

#include <string>
#include <vector>

#include "agpusim/commands/sweep/fits.hpp"
#include "agpusim/commands/sweep/series.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim::sweep {

/// What `agpusim sweep` and `agpusim merge` found.
struct Result {
  std::vector<Row> rows;           ///< sorted
  std::vector<Fit> fits;           ///< empty unless asked for
  std::vector<std::string> notes;  ///< sentences for a reader: what is missing, what was checked
};

/// One table and plots against n for each program, then its laws; all points and laws for programs.
/// `laws_alone`: for readers a line for each law, and how many stated bounds the counts follow.
[[nodiscard]] report::Report to_report(const Result& result, bool laws_alone = false);

}  // namespace agpusim::sweep
