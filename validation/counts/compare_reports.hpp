#pragma once

#include <string>
#include <vector>

#include "agpusim/model/agpu/report.hpp"

namespace agpusim {

/// How the counts of two runs differ, one sentence per field; empty when every field of every phase
/// is equal and so is T_tot. `what` names the second, for example "derived".
[[nodiscard]] std::vector<std::string> compare_reports(const RunReport& simulated,
                                                       const RunReport& other,
                                                       const std::string& what);

}  // namespace agpusim
