// What the idioms are expected to show: part of the name of a rule, and those that are judged
// wrongly.
#pragma once

#include <algorithm>
#include <set>
#include <sstream>

#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim::test {

/// Whether a finding is of the rule, which is written as in the sources: "race_in_shared_or_wait".
inline bool is_of_rule(std::string finding, std::string rule) {
  std::replace(rule.begin(), rule.end(), '_', ' ');
  std::replace(finding.begin(), finding.end(), '-', ' ');
  const std::string between = " or ";
  for (std::size_t end = rule.find(between); end != std::string::npos; end = rule.find(between)) {
    if (contains(finding, rule.substr(0, end))) return true;
    rule.erase(0, end + between.size());
  }
  return contains(finding, rule);
}

/// The kernels and programs that are judged wrongly until their order is known.
inline std::set<std::string> judged_wrongly() {
  std::set<std::string> result;
  std::istringstream lines(content(AGPUSIM_TEST_DIR "/memory_model/judged_wrongly.txt"));
  for (std::string line; std::getline(lines, line);) result.insert(line);
  return result;
}

}  // namespace agpusim::test
