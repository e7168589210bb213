#pragma once

#include <string>

#include "agpusim/model/agpu/report.hpp"

namespace agpusim::detail {

/// The source lines of a run (RunReport::lines), what each is charged, its text where its file is
/// readable, and the sums.
[[nodiscard]] std::string line_table(const RunReport& report);

}  // namespace agpusim::detail
